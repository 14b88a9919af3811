// Proof that everything works together: drives a small built-in page the way an agent does, through the path of every call.
import type { Call, Result } from '../../call/call.ts';

const PAGE = `<!doctype html>
<html lang="en">
<title>Tabwright works</title>
<style>body { font: 1.2rem system-ui, sans-serif; margin: 3rem }</style>
<h1>Tabwright works</h1>
<form>
  <label>Your name <input name="who"></label>
  <button>Greet</button>
</form>
<p role="status"></p>
<script>
  const form = document.querySelector('form');
  form.onsubmit = event => {
    event.preventDefault();
    document.querySelector('p').textContent = 'Hello, ' + form.who.value + '!';
  };
</script>
</html>`;

const URL_OF_PAGE = `data:text/html;charset=utf-8,${encodeURIComponent(PAGE)}`;

/** A session of its own: no profile and no tab of a person is touched. */
const SESSION = 'welcome';

export type RunCall = (call: Call) => Promise<Result>;

export interface ProofStep {
  tool: string;
  ms: number;
  saw: string;
}

export interface Proof {
  ok: boolean;
  ms: number;
  steps: ProofStep[];
  /** The page at the end, as an agent reads it. */
  page: string;
  /** What failed, and what to do. */
  problem?: string;
}

interface Task {
  tool: string;
  /** The arguments; refs come from the last snapshot. */
  args(page: string): Record<string, unknown>;
  /** What the answer must show, in few words; undefined when it does not. */
  saw(result: Result): string | undefined;
}

const TASKS: Task[] = [
  {
    tool: 'navigate',
    args: () => ({ url: URL_OF_PAGE }),
    saw: ({ text }) => (text.includes('"Tabwright works"') ? 'opened "Tabwright works"' : undefined),
  },
  { tool: 'snapshot', args: () => ({}), saw: ({ text }) => counted(text) },
  {
    tool: 'fill',
    args: page => ({ selector: refOf(page, 'textbox'), value: 'Ada' }),
    saw: ({ text }) => text,
  },
  { tool: 'click', args: page => ({ selector: refOf(page, 'button') }), saw: ({ text }) => text },
  {
    tool: 'snapshot',
    args: () => ({}),
    saw: ({ text }) => (text.includes('Hello, Ada!') ? 'the page says "Hello, Ada!"' : undefined),
  },
  {
    tool: 'screenshot',
    args: () => ({}),
    saw: ({ text, pictures: [picture] }) => picture && `a picture of ${text}, ${kilobytes(picture.bytes.length)}`,
  },
];

const refOf = (page: string, role: string): string =>
  new RegExp(`- ${role} .*\\[ref=(@e\\d+)\\]`).exec(page)?.[1] ?? role;

function counted(text: string): string | undefined {
  const refs = text.match(/\[ref=/g)?.length ?? 0;
  return refs > 0 ? `${refs} elements with refs` : undefined;
}

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1024)} KB`;

/** Never rejects: what fails is part of the proof. */
export async function prove(run: RunCall, signal?: AbortSignal): Promise<Proof> {
  const call = (name: string, args: Record<string, unknown>) =>
    run({ name, args: { ...args, session: SESSION }, caller: { id: SESSION }, ...(signal && { signal }) });
  const proof: Proof = { ok: true, ms: 0, steps: [], page: '' };
  try {
    for (const task of TASKS) await take(task, call, proof);
  } catch (error) {
    proof.ok = false;
    proof.problem = error instanceof Error ? error.message : String(error);
  }
  proof.ms = proof.steps.reduce((sum, { ms }) => sum + ms, 0);
  if (proof.steps.length > 0) await call('tab_close', {});
  return proof;
}

async function take(
  { tool, args, saw }: Task,
  call: (name: string, args: Record<string, unknown>) => Promise<Result>,
  proof: Proof,
): Promise<void> {
  const result = await call(tool, args(proof.page));
  if (!result.ok) throw new Error(`${tool}: ${result.text}`);
  // The first lines name the page by its url, which here holds the whole page.
  if (tool === 'snapshot') proof.page = result.text.slice(result.text.indexOf('\n\n') + 2);
  const seen = saw(result);
  if (seen === undefined) throw new Error(`${tool} did not show what it should: ${result.text.slice(0, 300)}`);
  proof.steps.push({ tool, ms: result.ms, saw: seen });
}
