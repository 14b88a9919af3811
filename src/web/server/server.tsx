// Running the server: the rules in force, limits, counters, tokens and checks, for administrators.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ServerFacts } from '../../surfaces/view/protocol.ts';
import { Empty } from '../parts/notices.tsx';
import { Since } from '../parts/time.tsx';
import { serverFacts } from '../wire/api.ts';
import { may } from '../wire/state.ts';
import { Checks } from './checks.tsx';
import { Tokens } from './tokens.tsx';

export function ServerPage() {
  const facts = useSignal<ServerFacts | undefined>(undefined);
  const why = useSignal('');
  const load = async () => {
    try {
      facts.value = await serverFacts();
      why.value = '';
    } catch (error) {
      why.value = (error as Error).message;
    }
  };
  useEffect(() => void load(), []);
  return (
    <>
      <div class="heading">
        <h1>Server</h1>
        {facts.value && (
          <p class="muted facts">
            <span>version {facts.value.version}</span>
            <span>
              up <Since time={facts.value.since} />
            </span>
          </p>
        )}
        <button type="button" onClick={load}>
          Refresh
        </button>
      </div>
      {!may('admin') && (
        <Empty title="This needs the right admin">
          <p>Log in with the owner's token, or one with that right.</p>
        </Empty>
      )}
      {may('admin') && why.value && <Empty title={why.value} />}
      {facts.value && <Facts facts={facts.value} onChange={load} />}
    </>
  );
}

const Facts = ({ facts, onChange }: { facts: ServerFacts; onChange(): Promise<void> }) => (
  <div class="server">
    <Part title="Policy">
      {facts.policy ? (
        <>
          <p class="muted">{facts.policy.file}</p>
          <ol class="rules">
            {facts.policy.rules.map(({ name, decision, about }) => (
              <li key={name}>
                <span class={`decision decision-${decision}`}>{decision}</span> <strong>{name}</strong>{' '}
                <span class="muted">{about}</span>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <p>No policy file: every tool that is offered may be used.</p>
      )}
    </Part>
    <Part title="Addresses">
      <dl class="pairs">
        <Row name="Allowed" value={facts.urlRules.allow.join(', ') || 'all'} />
        <Row name="Blocked" value={facts.urlRules.block.join(', ') || 'none'} />
        <Row name="Private networks" value={facts.urlRules.blockPrivate ? 'blocked' : 'allowed'} />
      </dl>
    </Part>
    <Part title="Limits">
      <dl class="pairs">
        {facts.limits.map(({ name, value }) => (
          <Row key={name} name={name} value={value} />
        ))}
      </dl>
    </Part>
    <Part title="Counters">
      <dl class="pairs">
        {facts.counters.map(({ name, value }) => (
          <Row key={name} name={name} value={value.toLocaleString()} />
        ))}
      </dl>
    </Part>
    <Part title="Tokens" isWide>
      <Tokens file={facts.tokensFile} tokens={facts.tokens} onChange={onChange} />
    </Part>
    <Part title="Checks">
      <Checks />
    </Part>
  </div>
);

const Part = ({ title, isWide, children }: { title: string; isWide?: boolean; children: ComponentChildren }) => (
  <section class={isWide ? 'part part-wide' : 'part'} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

const Row = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd class="time">{value}</dd>
  </div>
);
