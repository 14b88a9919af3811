// What waits for a person: approvals that the policy asks for, and agents that ask for help.
import { effect } from '@preact/signals';
import type { WaitingApproval, WaitingAsk } from '../../surfaces/view/protocol.ts';
import { Empty } from '../parts/notices.tsx';
import { sessionLink } from '../parts/route.ts';
import { Until } from '../parts/time.tsx';
import { pictureUrl } from '../wire/api.ts';
import { ask } from '../wire/connection.ts';
import { announce, overview, sessionOf } from '../wire/state.ts';

export const WaitingPage = () => {
  const count = (overview.value?.approvals.length ?? 0) + (overview.value?.asks.length ?? 0);
  return (
    <>
      <div class="heading">
        <h1>Waiting for a person</h1>
      </div>
      <WaitingList />
      {count === 0 && (
        <Empty title="Nothing waits for you">
          <p>Approvals that the policy asks for, and agents that ask for help, appear here as they come.</p>
        </Empty>
      )}
    </>
  );
};

/** Of one session, or of all. */
export function WaitingList({ session }: { session?: string }) {
  const isWanted = (one: { session?: string }) => session === undefined || one.session === session;
  const asks = overview.value?.asks.filter(isWanted) ?? [];
  const approvals = overview.value?.approvals.filter(isWanted) ?? [];
  if (asks.length + approvals.length === 0) return null;
  return (
    <section class="waiting" aria-label="Waiting for a person">
      {asks.map(one => (
        <Ask key={one.id} asked={one} isHere={session !== undefined} />
      ))}
      {approvals.map(one => (
        <Approval key={one.id} approval={one} isHere={session !== undefined} />
      ))}
    </section>
  );
}

const nameOf = (session: string | undefined): string =>
  session === undefined ? 'no session' : (sessionOf(session)?.name ?? session);

function Ask({ asked: { id, session, caller, reason, until }, isHere }: { asked: WaitingAsk; isHere: boolean }) {
  const mayAct = sessionOf(session)?.mayAct ?? false;
  return (
    <article class="wait wait-ask" aria-label={`${caller} asks for help`}>
      <p class="wait-what">
        <strong>{caller}</strong> asks for help in <a href={sessionLink(session)}>{nameOf(session)}</a>
        <span class="muted">
          {' '}
          waits <Until time={until} /> more
        </span>
      </p>
      <p class="reason">{reason}</p>
      {isHere && mayAct && <p class="muted">Take over, do it in the page, hand back, then say that it is done.</p>}
      <div class="buttons">
        {!isHere && (
          <a class="button primary" href={sessionLink(session)}>
            Open the session
          </a>
        )}
        {mayAct && (
          <>
            <button
              type="button"
              class={isHere ? 'primary' : ''}
              onClick={() => ask({ type: 'help', ask: id, answer: 'done' })}
            >
              It is done
            </button>
            <button type="button" onClick={() => ask({ type: 'help', ask: id, answer: 'declined' })}>
              Decline
            </button>
          </>
        )}
      </div>
    </article>
  );
}

function Approval({ approval, isHere }: { approval: WaitingApproval; isHere: boolean }) {
  const { id, session, caller, tool, args, url, rule, question, until, picture, mayAnswer } = approval;
  const answer = (value: 'once' | 'session' | 'refuse') => () => ask({ type: 'approve', approval: id, answer: value });
  return (
    <article class="wait" aria-label={`${caller} wants to use ${tool}`}>
      <p class="wait-what">
        <strong>{caller}</strong> wants to use <span class="tool">{tool}</span>
        {!isHere && session !== undefined && (
          <>
            {' in '}
            <a href={sessionLink(session)}>{nameOf(session)}</a>
          </>
        )}
        <span class="muted">
          {' '}
          waits <Until time={until} /> more
        </span>
      </p>
      <div class="wait-body">
        <div>
          <p class="reason">{question}</p>
          <dl class="pairs">
            {url !== undefined && <Pair name="Page" value={url} />}
            <Pair name="Rule" value={rule} />
            {Object.entries(Object(args)).map(([name, value]) => (
              <Pair key={name} name={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />
            ))}
          </dl>
        </div>
        {picture !== undefined && <img class="wait-picture" src={pictureUrl(picture)} alt="The page when it asked" />}
      </div>
      {mayAnswer ? (
        <div class="buttons">
          <button type="button" class="primary" onClick={answer('once')}>
            Approve once
          </button>
          <button type="button" onClick={answer('session')}>
            Approve for this session
          </button>
          <button type="button" class="danger" onClick={answer('refuse')}>
            Refuse
          </button>
        </div>
      ) : (
        <p class="muted">Your token may not answer this: it needs the right to approve.</p>
      )}
    </article>
  );
}

const Pair = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** Screen readers hear of what is new, once. */
export function startAnnouncements(): void {
  let known = new Set<string>();
  effect(() => {
    const { approvals = [], asks = [] } = overview.value ?? {};
    for (const { id, caller, tool } of approvals)
      if (!known.has(id)) announce(`${caller} waits for approval to use ${tool}.`);
    for (const { id, caller, reason } of asks) if (!known.has(id)) announce(`${caller} asks for help: ${reason}`);
    known = new Set([...approvals, ...asks].map(({ id }) => id));
  });
}
