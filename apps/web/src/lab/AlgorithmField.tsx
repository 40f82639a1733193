// An algorithm with its parameters, as "dcfr(gamma=3)".
import type { Games } from "../types";
import { Field } from "../ui";
import { defaultsOf, parseSpec, specText } from "./spec";

interface Props {
  label: string;
  list: Games["algorithms"];
  value: string; // "": the default
  placeholder: string; // what the default is
  onChange: (value: string) => void;
  testid?: string;
}

export function AlgorithmField({ label, list, value, placeholder, onChange, testid }: Props) {
  const spec = parseSpec(value);
  const entry = list.find((one) => one.name === (spec.name || placeholder));
  const defaults = defaultsOf(list, spec.name || placeholder);
  function set(name: string, text: string) {
    const params = { ...spec.params, [name]: text };
    onChange(specText({ name: spec.name || placeholder, params }, defaults));
  }
  return (
    <>
      <Field label={label} help={entry?.summary}>
        <select
          data-testid={testid}
          value={spec.name}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{placeholder} (default)</option>
          {list
            .filter((one) => one.name !== placeholder)
            .map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
                {one.exact ? " (exact)" : ""}
              </option>
            ))}
        </select>
      </Field>
      {entry && entry.params.length > 0 && (
        <details class="params">
          <summary>Parameters of {entry.name}</summary>
          <div class="fields">
            {entry.params.map((param) => (
              <Field key={param.name} label={param.name} help={param.help}>
                <input
                  placeholder={param.default}
                  value={spec.params[param.name] ?? ""}
                  onChange={(event) => set(param.name, event.currentTarget.value)}
                />
              </Field>
            ))}
          </div>
        </details>
      )}
    </>
  );
}
