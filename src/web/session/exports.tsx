// The exports of a session: what can be downloaded of its run.
import type { ExportRow } from '../../surfaces/view/protocol.ts';

export const Exports = ({ rows }: { rows: ExportRow[] }) => (
  <ul class="exports">
    {rows.map(({ name, what, href }) => (
      <li key={name}>
        <a href={href} download={name}>
          {name}
        </a>
        <p class="muted">{what}</p>
      </li>
    ))}
  </ul>
);
