import { useEffect, useState } from "preact/hooks";
import { Field } from "../ui";

interface Props {
  cut: string;
  cuts: string[];
  onCut: (cut: string) => void;
  testid: string;
}

const OTHER = "other";

// "round:1" in words.
export function cutWords(cut: string): string {
  const [kind, rest] = [cut.split(":")[0], cut.slice(cut.indexOf(":") + 1)];
  if (kind === "round") return `${cut} (after round ${rest})`;
  if (kind === "depth") return `${cut} (after ${rest} ${rest === "1" ? "move" : "moves"})`;
  if (cut === "all") return "all (every depth in turn)";
  return cut;
}

// One of the cuts that make sense, or any as it is written on the command line.
export function CutField({ cut, cuts, onCut, testid }: Props) {
  const [other, setOther] = useState(false);
  const [text, setText] = useState(cut);
  useEffect(() => {
    setText(cut);
    if (cuts.includes(cut)) setOther(false);
  }, [cut]);
  const listed = cut === "" || cuts.includes(cut);
  return (
    <>
      <Field label="Cut">
        <select
          data-testid={testid}
          value={other ? OTHER : cut}
          onChange={(event) => {
            const value = event.currentTarget.value;
            setOther(value === OTHER);
            if (value !== OTHER) onCut(value);
          }}
        >
          <option value="">none</option>
          {cuts.map((one) => (
            <option key={one} value={one}>
              {cutWords(one)}
            </option>
          ))}
          {!listed && <option value={cut}>{cutWords(cut)}</option>}
          <option value={OTHER}>another…</option>
        </select>
      </Field>
      {other && (
        <Field label="As text" help="round:R, depth:D, history:ACTION/ACTION/… or all; Enter sets it">
          <input
            value={text}
            data-testid={`${testid}-text`}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              onCut(text.trim());
            }}
            onBlur={() => onCut(text.trim())}
          />
        </Field>
      )}
    </>
  );
}
