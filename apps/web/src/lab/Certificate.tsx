import { general } from "../format";
import type { Certificate } from "../types";

// As `cleave evaluate` says it.
export function CertificateLine({ certificate }: { certificate: Certificate }) {
  return (
    <dl class="fact-list" data-testid="certificate">
      <dt>Exploitability</dt>
      <dd class="num">
        <strong>{general(certificate.exploitability, 6)}</strong>
      </dd>
      <dt>Value to player 1</dt>
      <dd class="num">{general(certificate.value, 6)}</dd>
      <dt>Best responses get</dt>
      <dd class="num">
        {general(certificate.best_response[0], 6)} <span class="muted">(player 1)</span>,{" "}
        {general(certificate.best_response[1], 6)} <span class="muted">(player 2)</span>
      </dd>
    </dl>
  );
}
