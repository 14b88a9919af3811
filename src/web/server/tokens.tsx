// Tokens: who has one and what it may do; adding, rotating and removing them. A new token is shown once.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { MadeToken, TokenRow } from '../../surfaces/view/protocol.ts';
import { addToken, removeToken, rotateToken } from '../wire/api.ts';
import { announce, notify } from '../wire/state.ts';

interface Props {
  file: string;
  tokens: TokenRow[];
  onChange(): Promise<void>;
}

/** A message for the person instead of an answer that failed. */
const trying = async (run: () => Promise<void>): Promise<void> => {
  try {
    await run();
  } catch (error) {
    notify((error as Error).message);
  }
};

export function Tokens({ file, tokens, onChange }: Props) {
  const made = useSignal<MadeToken | undefined>(undefined);
  const sure = useSignal<string | undefined>(undefined);
  const rotate = (id: string) => () =>
    trying(async () => {
      made.value = await rotateToken(id);
      announce(`The token ${id} has a new value.`);
    });
  const remove = (id: string) => () =>
    trying(async () => {
      await removeToken(id);
      sure.value = undefined;
      announce(`The token ${id} is removed.`);
      await onChange();
    });
  return (
    <>
      <p class="muted">{file}</p>
      {made.value && <Made made={made.value} />}
      {tokens.length === 0 ? (
        <p>No tokens but the owner's own.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Caller</th>
              <th scope="col">May</th>
              <th scope="col">Until</th>
              <th scope="col">
                <span class="unseen">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tokens.map(({ id, may, tools, expires }) => (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td>{[...(may ?? ['everything']), ...(tools ?? [])].join(', ')}</td>
                <td class="time">{expires === undefined ? 'no end' : new Date(expires).toLocaleDateString()}</td>
                <td class="buttons">
                  {sure.value === id ? (
                    <>
                      <button type="button" class="danger" onClick={remove(id)} ref={button => button?.focus()}>
                        Remove it
                      </button>
                      <button
                        type="button"
                        onClick={() => {
                          sure.value = undefined;
                        }}
                      >
                        Keep
                      </button>
                    </>
                  ) : (
                    <>
                      <button type="button" aria-label={`Rotate ${id}`} onClick={rotate(id)}>
                        Rotate
                      </button>
                      <button
                        type="button"
                        aria-label={`Remove ${id}`}
                        onClick={() => {
                          sure.value = id;
                        }}
                      >
                        Remove
                      </button>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <NewTokenForm
        onMade={async token => {
          made.value = token;
          await onChange();
        }}
      />
    </>
  );
}

const Made = ({ made: { id, token } }: { made: MadeToken }) => (
  <div class="made" role="status">
    <p>
      The token of <strong>{id}</strong>. Copy it now: it is not shown again.
    </p>
    <p class="made-token">
      <code>{token}</code>
      <button type="button" onClick={() => trying(() => navigator.clipboard.writeText(token))}>
        Copy
      </button>
    </p>
  </div>
);

function NewTokenForm({ onMade }: { onMade(token: MadeToken): Promise<void> }) {
  const form = useRef<HTMLFormElement>(null);
  const add = async (event: Event) => {
    event.preventDefault();
    const data = new FormData(form.current ?? undefined);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    const may = text('may')
      .split(/[\s,]+/)
      .filter(Boolean);
    await trying(async () => {
      await onMade(
        await addToken({
          id: text('id'),
          ...(may.length > 0 && { may }),
          ...(text('expires') && { expires: text('expires') }),
        }),
      );
      form.current?.reset();
    });
  };
  return (
    <form ref={form} class="new-token" onSubmit={add}>
      <label>
        Caller <input name="id" required autocomplete="off" />
      </label>
      <label>
        May <input name="may" placeholder="everything" autocomplete="off" />
      </label>
      <label>
        Expires <input name="expires" type="date" />
      </label>
      <button type="submit">Add token</button>
    </form>
  );
}
