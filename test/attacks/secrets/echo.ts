// What tests of secrets share: a kit with secrets, and a page that repeats what is typed.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Result } from '../../../src/call/call.ts';
import { type SecretRow, writeSecrets } from '../../../src/session/secrets/store.ts';
import { type Kit, startKit } from '../../kit.ts';

export const VALUE = 'Tr0ub4dor&3 "x"';
export const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

export interface SecretKit {
  kit: Kit;
  secret(row?: Partial<SecretRow>): SecretRow;
  /** These are all the secrets from now on. */
  keep(...rows: SecretRow[]): Promise<string>;
  showEcho(session?: string): Promise<Result>;
}

/** A kit whose owner has a secret and a seed for the test site; for all tests of a file. */
export function useSecrets(): SecretKit {
  const all = {} as SecretKit;
  beforeAll(async () => {
    const kit = await startKit();
    Object.assign(all, {
      kit,
      secret: (row = {}) => ({
        name: 'shop',
        kind: 'secret',
        origins: [kit.site.url],
        callers: [],
        value: VALUE,
        ...row,
      }),
      keep: (...rows) => writeSecrets(kit.server.options.stateDir, rows),
      showEcho: session =>
        kit.call('navigate', {
          url: `${kit.site.url}/html?of=${encodeURIComponent(ECHO)}`,
          ...(session !== undefined && { session }),
        }),
    } satisfies SecretKit);
  });
  beforeEach(async () => void (await all.keep(all.secret(), all.secret({ name: 'otp', kind: 'totp', value: SEED }))));
  afterAll(() => all.kit.close());
  return all;
}

/** Repeats what is typed wherever it can. */
const ECHO = `<!doctype html><title>Echo</title><style>* { font: 16px monospace } p, input, #host { color: #f00 } #mixed { color: #000 }</style>
<input id=pw aria-label=Secret><input id=masked type=password aria-label=Password>
<p id=plain></p><p id=big style="text-transform:uppercase"></p><p id=split></p><p id=mixed>Held: <b>here</b> </p>
<a id=link>Link</a><button id=tell onclick="alert('It is ' + pw.value)">Tell</button><p id=fixed style="position:fixed;bottom:0"></p>
<div id=host></div>
<script>
  const shadow = host.attachShadow({ mode: 'closed' });
  for (const field of [pw, masked]) field.oninput = () => {
    const { value } = field;
    plain.textContent = big.textContent = fixed.textContent = document.title = shadow.textContent = value;
    split.innerHTML = '';
    for (const letter of value) split.append(Object.assign(document.createElement('i'), { textContent: letter }));
    mixed.lastChild.data = value;
    link.href = '/api/echo?link=' + encodeURIComponent(value);
    console.log('typed', value, { value }, btoa(value));
    history.replaceState(null, '', '#' + encodeURIComponent(value));
    localStorage.setItem('kept', JSON.stringify({ value }));
    document.cookie = 'kept=' + encodeURIComponent(value);
    fetch('/api/echo?q=' + encodeURIComponent(value));
    fetch('/api/echo', { method: 'POST', body: new URLSearchParams({ value }) });
  };
</script>`;
/** The value in forms that a person reads at once. */
const FORMS = (value: string): string[] => [
  value,
  value.toUpperCase(),
  value.slice(0, 9),
  encodeURIComponent(value),
  new URLSearchParams({ value }).toString().slice(6),
  JSON.stringify(value).slice(1, -1),
  Buffer.from(value).toString('base64').slice(0, -2),
];
export const found = (text: string, value = VALUE): string[] => FORMS(value).filter(form => text.includes(form));
export const shown = ({ pictures: _, ...rest }: Result): string => JSON.stringify(rest);
