import type { ComponentChildren, JSX } from "preact";

type Props = Omit<JSX.HTMLAttributes<HTMLButtonElement>, "class" | "type"> & {
  kind?: "normal" | "primary" | "quiet" | "danger";
  small?: boolean;
  class?: string;
  type?: "button" | "submit";
  disabled?: boolean;
  testid?: string;
  children?: ComponentChildren;
};

export function Button({ kind = "normal", small, class: more, type, testid, children, ...rest }: Props) {
  const names = ["button", kind === "normal" ? "" : kind, small ? "small" : "", more ?? ""];
  return (
    <button type={type ?? "button"} class={names.filter(Boolean).join(" ")} data-testid={testid} {...rest}>
      {children}
    </button>
  );
}
