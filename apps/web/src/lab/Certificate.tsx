import { general, signed9 } from "../format";
import type { Certificate } from "../types";

// As `cleave evaluate` says it.
export function CertificateLine({ certificate }: { certificate: Certificate }) {
  return (
    <dl class="fact-list" data-testid="certificate">
      <dt>Exploitability</dt>
      <dd class="num">
        <strong data-testid="exploitability">{general(certificate.exploitability, 3)}</strong> chips
      </dd>
      <dt>Value to player 1</dt>
      <dd class="num" data-testid="value">
        {signed9(certificate.value)}
      </dd>
      <dt>Best responses get</dt>
      <dd class="num">
        {signed9(certificate.best_response[0])} <span class="muted">(player 1)</span>,{" "}
        {signed9(certificate.best_response[1])} <span class="muted">(player 2)</span>
      </dd>
    </dl>
  );
}
