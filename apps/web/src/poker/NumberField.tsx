// A number that may be half typed: it counts once it can be read.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Field } from "../ui";
import { useUnfinished } from "./unfinished";

interface Props {
  label: ComponentChildren;
  value: number;
  onValue: (value: number) => void;
  least: number;
  most?: number;
  whole?: boolean; // default
  unit?: string;
  help?: ComponentChildren;
  testid?: string;
}

export function NumberField({
  label,
  value,
  onValue,
  least,
  most = 1e12,
  whole = true,
  unit,
  help,
  testid,
}: Props) {
  const [text, setText] = useState(String(value));
  useEffect(() => {
    if (Number(text.replace(",", ".")) !== value) setText(String(value));
  }, [value]);

  function problem(typed: string): string | null {
    const number = Number(typed.replace(",", "."));
    const good =
      typed.trim() !== "" && number >= least && number <= most && (!whole || Number.isInteger(number));
    if (good) return null;
    const kind = whole ? "a whole number" : "a number";
    return most < 1e12 ? `Write ${kind} from ${least} to ${most}.` : `Write ${kind} from ${least} up.`;
  }
  function type(typed: string) {
    setText(typed);
    if (problem(typed) === null) onValue(Number(typed.replace(",", ".")));
  }
  useUnfinished(problem(text) !== null);
  return (
    <Field label={label} unit={unit} help={help} error={problem(text)}>
      <input
        inputMode={whole ? "numeric" : "decimal"}
        value={text}
        data-testid={testid}
        onInput={(event: { currentTarget: HTMLInputElement }) => type(event.currentTarget.value)}
      />
    </Field>
  );
}
