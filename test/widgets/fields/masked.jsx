// A masked telephone field (imask) and the boxes of a one-time code (input-otp).
import IMask from 'imask';
import { OTPInput } from 'input-otp';
import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

function Phone() {
  const field = useRef();
  useEffect(() => {
    const mask = IMask(field.current, { mask: '+{1} (000) 000-0000' });
    mask.on('accept', () => record({ phone: mask.value }));
  }, []);
  return (
    <label>
      Phone <input ref={field} />
    </label>
  );
}

const Slots = ({ slots }) => (
  <div style={{ display: 'flex' }}>
    {slots.map((slot, index) => (
      <div key={index} style={{ width: 30, height: 40, border: '1px solid #999' }}>
        {slot.char}
      </div>
    ))}
  </div>
);

/** Six fields, each of which passes the focus on. */
function Boxes() {
  const boxes = useRef([]);
  const next = index => event => {
    if (event.target.value) boxes.current[index + 1]?.focus();
    record({ pin: boxes.current.map(box => box.value).join('') });
  };
  return (
    <fieldset>
      <legend>Pin</legend>
      {[0, 1, 2, 3].map(index => (
        <input
          key={index}
          ref={box => {
            boxes.current[index] = box;
          }}
          aria-label={`Digit ${index + 1}`}
          maxLength={1}
          size={1}
          onInput={next(index)}
        />
      ))}
    </fieldset>
  );
}

createRoot(document.getElementById('root')).render(
  <main>
    <p>
      <Phone />
    </p>
    <p>Code from the message</p>
    <OTPInput maxLength={6} aria-label="Code" onComplete={code => record({ code })} render={Slots} />
    <Boxes />
  </main>,
);
