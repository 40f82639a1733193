// Sets up a spot: board, chips, ranges and bets, as a form or as the text of its file.
import { useEffect, useState } from "preact/hooks";
import { hashOf, replaceRoute, useRoute } from "../shell/router";
import { useStore } from "../shell/store";
import { Button, Notice, notifyError } from "../ui";
import { BoardEditor } from "./BoardEditor";
import { parseCards } from "./cards";
import { changeDraft, changeForm, draft, draftText, templateDraft } from "./draft";
import { MoreOptions } from "./MoreOptions";
import { Segmented } from "./parts";
import { RangeEditor } from "./RangeEditor";
import { SolveCard } from "./SolveCard";
import { OpenButton, openSpot, SaveButton, Templates } from "./SpotFiles";
import { spotText } from "./spot_text";
import { TreeEditor } from "./TreeEditor";
import { useCheck } from "./useCheck";
import "./poker.css";
import "./setup.css";

// #/spot?file=F and #/spot?template=river bring a spot; the address is left as #/spot.
function useAddress(): void {
  const { path, query } = useRoute();
  const file = query.get("file") ?? (path.startsWith("/spot/") ? decodeURIComponent(path.slice(6)) : null);
  const template = query.get("template");
  useEffect(() => {
    if (file) openSpot(file).catch(notifyError);
    const next = template ? templateDraft(template) : null;
    if (next) draft.set(next);
    if (file || template) replaceRoute(hashOf("/spot"));
  }, [file, template]);
}

export function SpotPage() {
  useAddress();
  const value = useStore(draft);
  const check = useCheck(draftText(value));
  const [shape, setShape] = useState<"form" | "text">("form");
  const asText = shape === "text" || (value.text !== null && check.error !== null);

  function choose(next: "form" | "text") {
    if (next === "form" && check.current && check.error === null) changeDraft({ text: null });
    setShape(next);
  }
  return (
    <div class="page spot-page">
      <div class="page-head">
        <h1>Set up a spot</h1>
        <Segmented
          label="Form or text"
          options={[
            { key: "form", text: "Form", disabled: asText && check.error !== null },
            { key: "text", text: "Text" },
          ]}
          chosen={asText ? "text" : "form"}
          onChoose={choose}
          testid="shape"
        />
        <span class="row head-buttons">
          <OpenButton />
          <SaveButton value={value} />
        </span>
      </div>
      <Templates />
      <div class="spot-columns">
        <div class="stack">{asText ? <TextShape error={check.error} /> : <FormShape />}</div>
        <SolveCard draft={value} check={check} />
      </div>
    </div>
  );
}

function FormShape() {
  const { form } = useStore(draft);
  const board = parseCards(form.board) ?? [];
  const swap = () => changeForm({ range: { oop: form.range.ip, ip: form.range.oop } });
  return (
    <>
      <BoardEditor form={form} />
      <section class="panel" aria-label="Ranges">
        <div class="row between">
          <h2>Ranges</h2>
          <Button small kind="quiet" onClick={swap}>
            Swap OOP and IP
          </Button>
        </div>
        <div class="ranges">
          {(["oop", "ip"] as const).map((player) => (
            <RangeEditor
              key={player}
              player={player}
              text={form.range[player]}
              board={board}
              onText={(text) => {
                const now = draft.get().form;
                changeForm({ range: { ...now.range, [player]: text } });
              }}
            />
          ))}
        </div>
      </section>
      <TreeEditor form={form} />
      <MoreOptions form={form} />
    </>
  );
}

function TextShape({ error }: { error: string | null }) {
  const value = useStore(draft);
  const text = draftText(value);
  return (
    <section class="panel" aria-label="The spot as text">
      <div class="row between">
        <h2>Text of the spot's file</h2>
        {value.text !== null && (
          <Button small onClick={() => changeDraft({ text: null })} title="Back to what the form says">
            {error ? "Drop what cannot be read" : "Write it anew from the form"}
          </Button>
        )}
      </div>
      <textarea
        class="spot-text"
        rows={Math.max(20, text.split("\n").length + 1)}
        value={text}
        spellcheck={false}
        autocapitalize="off"
        aria-label="The spot as TOML"
        data-testid="spot-text"
        onInput={(event) => {
          const typed = event.currentTarget.value;
          changeDraft({ text: typed === spotText(value.form) ? null : typed });
        }}
      />
      {error ? (
        <Notice kind="bad">{error}</Notice>
      ) : (
        <p class="field-help">What is written here shows in the form too.</p>
      )}
    </section>
  );
}
