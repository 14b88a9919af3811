// One session: the live picture of a tab with the others as a strip, and beside it the timeline, the snapshot and the exports.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SessionCard } from '../../surfaces/view/protocol.ts';
import { Empty } from '../parts/notices.tsx';
import { Since } from '../parts/time.tsx';
import { lease } from '../step-in/lease.ts';
import { ActingBar, LeaseState } from '../step-in/lease-bar.tsx';
import { WaitingList } from '../waiting/waiting.tsx';
import { sessionOf } from '../wire/state.ts';
import { Panels } from './panels.tsx';
import { Replay } from './replay.tsx';
import { Stage } from './stage.tsx';
import { TabStrip } from './tab-strip.tsx';
import { follow } from './timeline-state.ts';

export function SessionPage({ id }: { id: string }) {
  const session = sessionOf(id);
  /** Undefined: whichever is active. */
  const chosen = useSignal<number | undefined>(undefined);
  useEffect(() => follow(id), [id]);
  if (!session)
    return (
      <Empty title="There is no such session">
        <p>It has been closed, or it belongs to somebody else.</p>
        <a class="button" href="#view=overview">
          All sessions
        </a>
      </Empty>
    );
  const tab =
    session.tabs.find(one => one.id === chosen.value) ?? session.tabs.find(one => one.active) ?? session.tabs[0];
  const isActing = lease.value?.session === id;
  return (
    <>
      <Title session={session} />
      <WaitingList session={id} />
      <div class="session">
        <section class="session-picture" aria-label="Picture">
          {isActing && tab && <ActingBar session={id} tab={tab.id} />}
          {tab ? (
            <Stage key={tab.id} session={session} tab={tab} isActing={isActing} />
          ) : (
            <Empty title="No tab is open">
              <p>The next call of the agent that needs a page opens one.</p>
            </Empty>
          )}
          <Replay />
          {session.tabs.length > 1 && (
            <TabStrip
              session={session}
              shown={tab?.id}
              onChoose={one => {
                chosen.value = one;
              }}
            />
          )}
        </section>
        <Panels session={id} tab={tab?.id} />
      </div>
    </>
  );
}

const Title = ({ session }: { session: SessionCard }) => {
  const { name, caller, profile, since, calls, failures } = session;
  return (
    <div class="heading">
      <h1>
        <a href="#view=overview" class="up">
          Sessions
        </a>{' '}
        <span aria-hidden="true">/</span> {name}
      </h1>
      <p class="muted facts">
        <span>{caller}</span>
        {profile !== undefined && <span>profile {profile}</span>}
        <span>
          open <Since time={since} />
        </span>
        <span class="time">
          {calls} {calls === 1 ? 'call' : 'calls'}
          {failures > 0 && `, ${failures} failed`}
        </span>
      </p>
      <LeaseState session={session} />
    </div>
  );
};
