// Takes mouse, touch, keyboard, paste and input methods over the picture and sends them to the page. An empty text field
// that cannot be seen lies over the picture, because input methods and the keyboards of touch screens need one.
import { useEffect, useRef } from 'preact/hooks';
import type { PersonInput } from '../../surfaces/view/protocol.ts';
import { send } from '../wire/connection.ts';
import { keyboardInto } from './keyboard.ts';
import { lease } from './lease.ts';
import { pointerInto } from './pointer.ts';

interface Props {
  session: string;
  tab: number;
  /** Of what the picture shows, in CSS pixels. */
  size: { width: number; height: number };
}

export function InputSurface({ session, tab, size }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const latest = useRef(size);
  latest.current = size;
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    const give = (input: PersonInput) => {
      const held = lease.value;
      if (held?.session === session) send({ type: 'input', session, tab, lease: held.id, input });
    };
    element.focus({ preventScroll: true });
    const ends = [keyboardInto(element, give), pointerInto(element, give, () => latest.current)];
    return () => {
      for (const end of ends) end();
    };
  }, [session, tab]);
  return (
    <textarea
      ref={field}
      id="page-input"
      class="input-surface"
      aria-label="The page: what you type and point at goes there"
      aria-description="Control, Alt and Enter together leave it"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
    />
  );
}
