// The page as the agent sees it, line by line; a line and its element on the picture mark each other.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Empty } from '../parts/notices.tsx';
import { Since } from '../parts/time.tsx';
import { request } from '../wire/connection.ts';
import { marked, viewed } from './marks.tsx';
import { calls } from './timeline-state.ts';

export function Snapshot({ session, tab }: { session: string; tab: number | undefined }) {
  const why = useSignal<string | undefined>(undefined);
  const ended = calls.value.filter(one => one.tab === tab && one.state !== 'running').length;
  const look = async () => {
    if (tab === undefined) return;
    try {
      const answer = await request({ type: 'look', session, tab });
      if (answer.type === 'snapshot') viewed.value = answer;
      why.value = undefined;
    } catch (error) {
      why.value = (error as Error).message;
    }
  };
  useEffect(() => void look(), [session, tab, ended]);
  useEffect(
    () => () => {
      viewed.value = undefined;
      marked.value = undefined;
    },
    [session, tab],
  );
  const snapshot = viewed.value;
  if (why.value !== undefined) return <Empty title={why.value} />;
  if (!snapshot) return <Empty title="Asking for the snapshot…" />;
  if (snapshot.text === '')
    return (
      <Empty title="The agent has not looked at this tab yet">
        <p>Its next snapshot of the tab appears here.</p>
      </Empty>
    );
  return (
    <>
      <p class="panel-tools muted">
        <span>
          What the agent was shown <Since time={snapshot.time} /> ago
        </span>
        <button type="button" onClick={look}>
          Mark elements again
        </button>
      </p>
      <Lines text={snapshot.text} />
    </>
  );
}

function Lines({ text }: { text: string }) {
  const list = useRef<HTMLOListElement>(null);
  const at = marked.value;
  const withElement = new Set(viewed.value?.elements.map(({ line }) => line));
  useEffect(() => {
    const isPointedAt = list.current?.matches(':hover, :focus-within');
    if (at !== undefined && !isPointedAt) list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const point = (line: number | undefined) => () => {
    marked.value = line;
  };
  return (
    <ol ref={list} class="snapshot" onMouseLeave={point(undefined)}>
      {text.split('\n').map((line, index) => {
        const indent = /^ */.exec(line)?.[0].length ?? 0;
        const words = <span class="snapshot-text">{line.slice(indent) || '\u00a0'}</span>;
        return (
          <li key={index} class={at === index ? 'marked' : ''} style={{ paddingInlineStart: `${indent}ch` }}>
            {withElement.has(index) ? (
              <button type="button" class="snapshot-line" onMouseEnter={point(index)} onFocus={point(index)}>
                {words}
              </button>
            ) : (
              words
            )}
          </li>
        );
      })}
    </ol>
  );
}
