// Lists, date fields, dialogs and file choosers of the page as real controls over its picture.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Control, ControlValue, SessionCard } from '../../surfaces/view/protocol.ts';
import { upload } from '../wire/api.ts';
import { notify } from '../wire/state.ts';
import { answer, controlsOf } from './controls-state.ts';

interface Size {
  width: number;
  height: number;
}

interface Props {
  session: SessionCard;
  tab: number;
  isActing: boolean;
  size: Size;
}

type Of<K extends Control['kind']> = Extract<Control, { kind: K }>;
type Give = (value: ControlValue) => void;

export function Controls({ session, tab, isActing, size }: Props) {
  const controls = controlsOf(session.id, tab);
  if (controls.length === 0) return null;
  if (!isActing) return <Watched controls={controls} mayAct={session.mayAct} />;
  return (
    <div class="controls">
      {controls.map(control => (
        <Shown
          key={control.id}
          control={control}
          size={size}
          give={value => void answer(session.id, tab, control.id, value)}
        />
      ))}
    </div>
  );
}

/** Who only watches is told what the page waits for. */
const Watched = ({ controls, mayAct }: { controls: Control[]; mayAct: boolean }) => (
  <p class="watched-control">
    {controls
      .map(one =>
        one.kind === 'dialog' ? `The page shows a dialog: ${one.message}` : `The page shows a ${WORDS[one.kind]}`,
      )
      .join(' · ')}
    {mayAct && '. Take over to answer it.'}
  </p>
);

const WORDS = { select: 'list', date: 'date field', file: 'file chooser' };

function Shown({ control, size, give }: { control: Control; size: Size; give: Give }) {
  if (control.kind === 'select') return <SelectControl control={control} size={size} give={give} />;
  if (control.kind === 'date') return <DateControl control={control} size={size} give={give} />;
  if (control.kind === 'file') return <FileControl control={control} give={give} />;
  return <DialogControl control={control} give={give} />;
}

interface FormProps {
  title: string;
  /** Where on the picture its element is; in the middle without one. */
  at?: { box: Of<'select'>['box']; size: Size };
  submit: string;
  cancel?: () => void;
  onSubmit(): void;
  children?: ComponentChildren;
}

/** A small form that has the focus while it is open; Escape cancels, and the focus goes back to the page after it. */
function ControlForm({ title, at, submit, cancel, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('select, input, button')?.focus();
    return () => document.getElementById('page-input')?.focus({ preventScroll: true });
  }, []);
  const share = (value: number, whole: number) => `${Math.min(60, (100 * value) / whole)}%`;
  const place = at && {
    '--x': share(at.box.x, at.size.width),
    '--y': share(at.box.y + at.box.height, at.size.height),
  };
  return (
    <div
      class={at ? 'control control-at' : 'control control-middle'}
      style={place ?? {}}
      role="dialog"
      aria-label={title}
    >
      <form
        ref={form}
        onKeyDown={event => {
          if (event.key === 'Escape') cancel?.();
        }}
        onSubmit={event => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <p class="control-title">{title}</p>
        {children}
        <div class="buttons">
          <button type="submit" class="primary">
            {submit}
          </button>
          {cancel && (
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          )}
        </div>
      </form>
    </div>
  );
}

const LIST_ROWS = 8;

function SelectControl({ control, size, give }: { control: Of<'select'>; size: Size; give: Give }) {
  const list = useRef<HTMLSelectElement>(null);
  const { options, multiple, label, box } = control;
  const chosen = () => [...(list.current?.selectedOptions ?? [])].map(option => Number(option.value));
  const before = options.flatMap(({ selected }, index) => (selected ? [index] : []));
  const groups = new Map<string, number[]>();
  options.forEach(({ group = '' }, index) => {
    groups.set(group, [...(groups.get(group) ?? []), index]);
  });
  const row = (index: number) => (
    <option
      key={index}
      value={index}
      selected={options[index]?.selected ?? false}
      disabled={options[index]?.disabled ?? false}
    >
      {options[index]?.label}
    </option>
  );
  return (
    <ControlForm
      title={label || 'Choose'}
      at={{ box, size }}
      submit="Choose"
      cancel={() => give({ kind: 'select', options: before })}
      onSubmit={() => give({ kind: 'select', options: chosen() })}
    >
      {/* A list with several rows sends no form at Enter by itself. */}
      <select
        ref={list}
        aria-label={label || 'Options'}
        multiple={multiple}
        size={Math.max(2, Math.min(LIST_ROWS, options.length))}
        onKeyDown={event => {
          if (event.key === 'Enter') list.current?.form?.requestSubmit();
        }}
        onDblClick={() => list.current?.form?.requestSubmit()}
      >
        {[...groups].map(([group, rows]) =>
          group ? (
            <optgroup key={group} label={group}>
              {rows.map(row)}
            </optgroup>
          ) : (
            rows.map(row)
          ),
        )}
      </select>
    </ControlForm>
  );
}

function DateControl({ control, size, give }: { control: Of<'date'>; size: Size; give: Give }) {
  const { label, input, value, min, max, step, box } = control;
  const field = useRef<HTMLInputElement>(null);
  return (
    <ControlForm
      title={label || 'Choose'}
      at={{ box, size }}
      submit="Set"
      cancel={() => give({ kind: 'date', value })}
      onSubmit={() => give({ kind: 'date', value: field.current?.value ?? value })}
    >
      <input
        ref={field}
        type={input}
        aria-label={label || 'Value'}
        defaultValue={value}
        {...(min && { min })}
        {...(max && { max })}
        {...(step && { step })}
      />
    </ControlForm>
  );
}

function DialogControl({ control, give }: { control: Of<'dialog'>; give: Give }) {
  const { dialog, message, text } = control;
  const field = useRef<HTMLInputElement>(null);
  const isPrompt = dialog === 'prompt';
  const accept = () => give({ kind: 'dialog', accept: true, ...(isPrompt && { text: field.current?.value ?? text }) });
  return (
    <ControlForm
      title={dialog === 'beforeunload' ? 'Leave this page? What you entered may be lost.' : message || 'The page says'}
      submit={dialog === 'beforeunload' ? 'Leave' : 'OK'}
      {...(dialog !== 'alert' && { cancel: () => give({ kind: 'dialog', accept: false }) })}
      onSubmit={accept}
    >
      {isPrompt && <input ref={field} type="text" aria-label={message || 'Answer'} defaultValue={text} />}
    </ControlForm>
  );
}

function FileControl({ control, give }: { control: Of<'file'>; give: Give }) {
  const { label, multiple, accept } = control;
  const field = useRef<HTMLInputElement>(null);
  const isSending = useSignal(false);
  const sendFiles = async () => {
    isSending.value = true;
    try {
      const sent = await Promise.all([...(field.current?.files ?? [])].map(upload));
      give({ kind: 'file', files: sent.map(({ id }) => id) });
    } catch (error) {
      notify((error as Error).message);
    }
    isSending.value = false;
  };
  return (
    <ControlForm
      title={label || (multiple ? 'The page asks for files' : 'The page asks for a file')}
      submit={isSending.value ? 'Sending…' : 'Give to the page'}
      cancel={() => give({ kind: 'file', files: [] })}
      onSubmit={() => void sendFiles()}
    >
      <input ref={field} type="file" aria-label={label || 'File'} multiple={multiple} accept={accept} required />
    </ControlForm>
  );
}
