// The tabs of a session, each with a small live picture; one is shown large.
import type { SessionCard } from '../../surfaces/view/protocol.ts';
import { LivePicture } from '../parts/live-picture.tsx';

interface Props {
  session: SessionCard;
  shown: number | undefined;
  onChoose(tab: number): void;
}

export const TabStrip = ({ session, shown, onChoose }: Props) => (
  <ul class="strip" aria-label="Tabs">
    {session.tabs.map(({ id, title, url, active }) => (
      <li key={id}>
        <button type="button" class="strip-tab" aria-pressed={id === shown} onClick={() => onChoose(id)} title={url}>
          <LivePicture session={session.id} tab={id} size="thumb" label="" />
          <span class="one-line">{title || url || 'Untitled'}</span>
          {active && <span class="tag">Agent is here</span>}
        </button>
      </li>
    ))}
  </ul>
);
