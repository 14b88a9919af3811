// The overview: all sessions as cards, with a filter and a search; those that need a person come first.
import { computed, signal } from '@preact/signals';
import type { SessionCard } from '../../surfaces/view/protocol.ts';
import { Empty } from '../parts/notices.tsx';
import { WaitingList } from '../waiting/waiting.tsx';
import { overview } from '../wire/state.ts';
import { Card } from './card.tsx';

const isWaiting = ({ id }: SessionCard): boolean =>
  [...(overview.value?.approvals ?? []), ...(overview.value?.asks ?? [])].some(({ session }) => session === id);

const FILTERS: { name: string; label: string; test(session: SessionCard): boolean }[] = [
  { name: 'all', label: 'All', test: () => true },
  { name: 'running', label: 'Running', test: ({ running }) => running.length > 0 },
  { name: 'failed', label: 'Failed', test: ({ lastError }) => lastError !== undefined },
  { name: 'waiting', label: 'Waiting', test: isWaiting },
  { name: 'people', label: 'Taken over', test: ({ lease }) => lease !== undefined },
];

const filter = signal('all');
const search = signal('');

const words = ({ name, caller, profile = '', tabs }: SessionCard): string =>
  [name, caller, profile, ...tabs.flatMap(({ title, url }) => [title, url])].join('\n').toLowerCase();

/** Those that need somebody first, then the newest; the order does not follow every call, so that cards stay where they are. */
const urgency = (session: SessionCard): number => (isWaiting(session) ? 2 : session.lastError ? 1 : 0);

const shown = computed(() => {
  const { test } = FILTERS.find(({ name }) => name === filter.value) ?? FILTERS[0]!;
  const wanted = search.value.trim().toLowerCase();
  return (overview.value?.sessions ?? [])
    .filter(session => test(session) && words(session).includes(wanted))
    .sort((a, b) => urgency(b) - urgency(a) || b.since - a.since);
});

export function OverviewPage() {
  const { sessions = [] } = overview.value ?? {};
  return (
    <>
      <div class="heading">
        <h1>Sessions</h1>
        {sessions.length > 0 && <Search all={sessions} />}
      </div>
      <WaitingList />
      {shown.value.length > 0 && (
        <ul class="cards">
          {shown.value.map(session => (
            <Card key={session.id} session={session} isWaiting={isWaiting(session)} />
          ))}
        </ul>
      )}
      {sessions.length === 0 && (
        <Empty title="No sessions yet">
          <p>A session appears here with the first call of an agent. Try one from a terminal:</p>
          <pre class="command">tabwright call navigate url=https://example.com</pre>
        </Empty>
      )}
      {sessions.length > 0 && shown.value.length === 0 && (
        <Empty title="No session matches">
          <button type="button" onClick={showAll}>
            Show all {sessions.length}
          </button>
        </Empty>
      )}
    </>
  );
}

function showAll(): void {
  filter.value = 'all';
  search.value = '';
}

const Search = ({ all }: { all: SessionCard[] }) => (
  <search class="search">
    <fieldset class="filters">
      <legend class="unseen">Show</legend>
      {FILTERS.map(({ name, label, test }) => (
        <label key={name} class="filter">
          <input
            type="radio"
            name="filter"
            value={name}
            checked={filter.value === name}
            onChange={() => {
              filter.value = name;
            }}
          />
          <span>
            {label} <span class="time">{all.filter(test).length}</span>
          </span>
        </label>
      ))}
    </fieldset>
    <input
      type="search"
      aria-label="Search sessions"
      placeholder="Name, caller, title, address"
      value={search.value}
      onInput={({ currentTarget }) => {
        search.value = currentTarget.value;
      }}
    />
  </search>
);
