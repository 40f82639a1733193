import { cloneElement, type ComponentChildren, type VNode } from "preact";
import { useId } from "preact/hooks";

interface Props {
  label: ComponentChildren;
  help?: ComponentChildren;
  error?: string | null;
  unit?: string; // written behind the input
  class?: string;
  children: VNode<Record<string, unknown>>; // one input, select or textarea
}

// A labelled input, with what helps or what is wrong below it.
export function Field({ label, help, error, unit, class: more, children }: Props) {
  const id = useId();
  const note = `${id}-note`;
  const input = cloneElement(children, {
    id,
    "aria-describedby": help !== undefined || error ? note : undefined,
    "aria-invalid": error ? true : undefined,
  });
  return (
    <div class={`field ${more ?? ""}`}>
      <label for={id}>{label}</label>
      {unit === undefined ? (
        input
      ) : (
        <div class="with-unit">
          {input}
          <span class="unit">{unit}</span>
        </div>
      )}
      {error ? (
        <p id={note} class="field-error" role="alert">
          {error}
        </p>
      ) : (
        help !== undefined && (
          <p id={note} class="field-help">
            {help}
          </p>
        )
      )}
    </div>
  );
}
