// fill and select on widgets that are no fields of their own, on pages in the shape of the libraries' markup.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kit, startKit } from '../kit.ts';
import { fieldValue, js, show } from './page.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const select = async (role: string, label: string | string[]) =>
  kit.ok('select', { selector: await kit.ref(role), label });
const fill = async (role: string, value: string) => kit.ok('fill', { selector: await kit.ref(role), value });
const outcome = () => js(kit, 'JSON.stringify(outcome)');
/** What lies over the page. */
const overlays = () => js(kit, 'document.querySelectorAll(".popup").length');

/** A list that is added to the body while it is open; `many` keeps it open and adds chips to the widget. */
const LIST = `
  <style>.popup { position: absolute; top: 60px; height: 90px; overflow: auto; background: #eee } .popup div { height: 30px }</style>
  <div id="field"><span id="chips"></span>TRIGGER</div>
  <script>
    var outcome = [];
    const trigger = document.querySelector('[role=combobox],[aria-haspopup]');
    const close = () => { document.querySelector('.popup')?.remove(); trigger.setAttribute('aria-expanded', 'false') };
    const ITEMS = NAMES;
    const shown = words => ITEMS.filter(name => name.toLowerCase().includes(words.toLowerCase())).slice(0, 5);
    const fillList = popup => {
      popup.innerHTML = shown(trigger.value ?? '').map(name => '<div ROLE>' + name + '</div>').join('');
      for (const item of popup.children) item.onclick = () => {
        outcome.push(item.textContent);
        if (MANY) chips.innerHTML += '<b>' + item.textContent + '</b> ';
        else { if ('value' in trigger && trigger.localName === 'input') trigger.value = item.textContent; else trigger.textContent = item.textContent; close() }
      };
    };
    const open = () => {
      if (document.querySelector('.popup')) return;
      const popup = document.body.appendChild(document.createElement('div'));
      popup.className = 'popup';
      trigger.setAttribute('aria-expanded', 'true');
      fillList(popup);
    };
    trigger.onclick = open;
    trigger.oninput = () => { open(); fillList(document.querySelector('.popup')) };
    addEventListener('keydown', event => { if (event.key === 'Escape' && document.querySelector('.popup')) { close(); event.stopPropagation() } }, true);
  </script>`;

const list = (trigger: string, names: string, { role = 'role="option"', many = false } = {}): string =>
  LIST.replace('TRIGGER', trigger).replace('NAMES', names).replace('ROLE', role).replaceAll('MANY', String(many));

const BUTTON = '<button role="combobox" aria-label="Planet" aria-expanded="false">Choose</button>';
const SEARCH = '<input role="combobox" aria-label="Room" aria-expanded="false">';
const PLANETS = '["Mars", "Venus", "Saturn"]';
const ROOMS = 'Array.from({ length: 300 }, (_, at) => "Room " + (at + 1))';

describe('16 select on lists that a widget opens', () => {
  it('opens, chooses, closes, and says what was chosen', async () => {
    await show(kit, list(BUTTON, PLANETS));
    expect(await select('combobox "Planet"', 'Saturn')).toMatch(/^Selected "Saturn" in @e\d+ combobox "Planet"/);
    expect(await outcome()).toBe('["Saturn"]');
    expect(await overlays()).toBe('0');
  });

  it('a list without roles', async () => {
    await show(kit, list(BUTTON.replace('role="combobox"', 'aria-haspopup="listbox"'), PLANETS, { role: 'title="x"' }));
    await select('button "Planet"', 'venus');
    expect(await outcome()).toBe('["Venus"]');
  });

  it('searches where not all is in the document', async () => {
    await show(kit, list(SEARCH, ROOMS));
    await select('combobox "Room"', 'Room 250');
    expect(await outcome()).toBe('["Room 250"]');
    expect(await overlays()).toBe('0');
  });

  it('adds several, leaves what is chosen, and closes the list but not the dialog around it', async () => {
    await show(kit, `<dialog id="around" open>${list(SEARCH, PLANETS, { many: true })}</dialog>`);
    await select('combobox "Room"', ['Mars', 'Venus']);
    expect(await outcome()).toBe('["Mars","Venus"]');
    expect(await overlays()).toBe('0');
    expect(await js(kit, 'around.open')).toBe('true');
  });

  it('what is not offered lists what is, and leaves nothing open', async () => {
    await show(kit, list(BUTTON, PLANETS));
    const { code, text } = await kit.fails('select', { selector: await kit.ref('combobox "Planet"'), label: 'Pluto' });
    expect(code).toBe('not_found');
    expect(text).toContain('Options: Mars, Venus, Saturn');
    expect(await overlays()).toBe('0');
  });

  it('never claims what the widget does not show', async () => {
    await show(
      kit,
      `${list(BUTTON, PLANETS)}<script>addEventListener('click', event => event.target.closest('.popup') && (event.stopImmediatePropagation(), close()), true)</script>`,
    );
    const { code, text } = await kit.fails('select', { selector: await kit.ref('combobox "Planet"'), label: 'Mars' });
    expect(code).toBe('not_taken');
    expect(text).toMatch(/"Mars" was clicked, but .*By hand: click it/s);
  });

  it('what opens no list says how to do it by hand', async () => {
    await show(kit, '<div role="combobox" tabindex="0" aria-label="Odd">Odd</div>');
    const { text } = await kit.fails('select', { selector: await kit.ref('combobox "Odd"'), label: 'Mars' });
    expect(text).toMatch(/opened no list of options.*By hand: click it to open its options/s);
  });

  it('along a path: through the columns of a cascade', async () => {
    await show(
      kit,
      `<div role="combobox" tabindex="0" aria-label="City" aria-expanded="false">None</div><script>
      var outcome; const city = document.querySelector('[role=combobox]'); const TREE = { Italy: ['Rome', 'Milan'], Norway: ['Oslo'] };
      const column = (names, choose) => {
        const menu = document.body.appendChild(document.createElement('ul'));
        menu.className = 'popup'; menu.style.position = 'absolute'; menu.setAttribute('role', 'menu');
        for (const name of names) { const item = menu.appendChild(document.createElement('li')); item.setAttribute('role', 'menuitem'); item.textContent = name; item.onclick = () => choose(name) }
        menu.style.left = 100 * document.querySelectorAll('.popup').length + 'px';
      };
      city.onclick = () => column(Object.keys(TREE), country => column(TREE[country], town => {
        outcome = [country, town]; city.textContent = country + ' / ' + town; for (const menu of document.querySelectorAll('.popup')) menu.remove() }));
      </script>`,
    );
    await select('combobox "City"', 'Italy / Milan');
    expect(await outcome()).toBe('["Italy","Milan"]');
    expect(await overlays()).toBe('0');
  });

  it.each([
    ['listbox', 'option', 'aria-selected'],
    ['radiogroup', 'radio', 'aria-checked'],
  ])('a %s that is part of the page', async (role, item, state) => {
    await show(
      kit,
      `<div role="${role}" aria-label="Cup">${['Small', 'Large'].map(name => `<div role="${item}" tabindex="0" ${state}="false" onclick="this.setAttribute('${state}', 'true')">${name}</div>`).join('')}</div>`,
    );
    await select(`${role} "Cup"`, 'Large');
    expect(await js(kit, `document.querySelector('[${state}=true]').textContent`)).toBe('Large');
  });
});

describe('16 fill on widgets', () => {
  it('a list that is no field: chosen as by select', async () => {
    await show(kit, list(BUTTON, PLANETS));
    expect(await fill('combobox "Planet"', 'Mars')).toMatch(/: Mars\./);
    expect(await outcome()).toBe('["Mars"]');
  });

  it('a field with suggestions takes the one that is just that', async () => {
    await show(kit, list(SEARCH, PLANETS));
    expect(await fill('combobox "Room"', 'Venus')).toContain(': Venus');
    expect(await outcome()).toBe('["Venus"]');
    expect(await overlays()).toBe('0');
  });

  it('a field with other suggestions keeps the text, and tells what is offered', async () => {
    await show(kit, list(SEARCH, PLANETS));
    expect(await fill('combobox "Room"', 'Ma')).toContain('its list is open and offers: Mars');
    expect(await js(kit, 'trigger.value')).toBe('Ma');
  });

  const SLIDER = `<div role="slider" tabindex="0" aria-label="Speed" aria-valuemin="0" aria-valuemax="200" aria-valuenow="20" style="width: 20px; height: 20px"></div>`;
  const moves = `<script>document.querySelector('[role=slider]').onkeydown = ({ key, target }) => {
    const by = { ArrowUp: 5, ArrowDown: -5 }[key] ?? 0;
    target.setAttribute('aria-valuenow', Math.max(0, Math.min(200, Number(target.getAttribute('aria-valuenow')) + by))) }</script>`;

  it('a slider goes to the value, and says where it stopped', async () => {
    await show(kit, SLIDER + moves);
    expect(await fill('slider "Speed"', '120')).toMatch(/^Filled @e\d+ slider "Speed"\.$/);
    expect(await js(kit, 'document.querySelector("[role=slider]").ariaValueNow')).toBe('120');
    expect(await fill('slider "Speed"', '33')).toContain('the page made it "35"');
    const far = await kit.fails('fill', { selector: await kit.ref('slider'), value: '999' });
    expect(far.text).toContain('takes a number from 0 to 200');
  });

  it('a slider without keys says so, and what to do by hand', async () => {
    await show(kit, SLIDER);
    const { code, text } = await kit.fails('fill', { selector: await kit.ref('slider'), value: '50' });
    expect(code).toBe('not_taken');
    expect(text).toMatch(/did not move.*By hand: drag it/s);
  });

  const boxes = (attributes: string) =>
    `<div role="group" aria-label="Pin">${'1234'.replace(/./g, at => `<input aria-label="Digit ${at}" ${attributes} style="width: 20px; height: 20px">`)}</div>
    <script>for (const box of document.querySelectorAll('input')) box.oninput = () => box.nextElementSibling?.focus()</script>`;
  const pin = () => js(kit, '[...document.querySelectorAll("input")].map(box => box.value).join("|")');

  it.each(['maxlength="1"', 'autocomplete="one-time-code"'])(
    'boxes of a code (%s), by their group and by the first',
    async attributes => {
      await show(kit, boxes(attributes));
      await fill('group "Pin"', '4711');
      expect(await pin()).toBe('4|7|1|1');
      await fill('textbox "Digit 1"', '0815');
      expect(await pin()).toBe('0|8|1|5');
      const { text } = await kit.fails('fill', { selector: await kit.ref('group "Pin"'), value: '12' });
      expect(text).toContain('it takes 4 characters');
    },
  );

  it('parts of a date', async () => {
    const part = (name: string, max: number) =>
      `<span role="spinbutton" tabindex="0" contenteditable aria-label="${name}, Start" aria-valuenow="1" aria-valuemin="1" aria-valuemax="${max}">1</span>`;
    await show(
      kit,
      `<div role="group" aria-label="Start">${part('month', 12)}/${part('day', 31)}/${part('year', 9999)}</div><script>
      for (const one of document.querySelectorAll('[role=spinbutton]')) { let typed = '';
        one.onfocus = () => { typed = '' };
        one.onkeydown = event => { event.preventDefault(); if (/\\d/.test(event.key)) { typed += event.key; one.setAttribute('aria-valuenow', Number(typed)); one.textContent = typed } } }</script>`,
    );
    expect(await fill('group "Start"', '2027-11-23')).toMatch(/^Filled @e\d+ group "Start"\.$/);
    expect(
      await js(kit, '[...document.querySelectorAll("[role=spinbutton]")].map(one => one.ariaValueNow).join()'),
    ).toBe('11,23,2027');
    expect((await kit.fails('fill', { selector: await kit.ref('group "Start"'), value: 'soon' })).text).toContain(
      'YYYY-MM-DD',
    );
  });

  it('a date that opens a calendar is taken, the calendar closed, the form not sent', async () => {
    await show(
      kit,
      `<form onsubmit="outcome.push('sent'); return false"><input aria-label="Day"></form><script>
      var outcome = []; const day = document.querySelector('input');
      day.oninput = () => { if (document.querySelector('.popup')) return; const popup = document.body.appendChild(document.createElement('div'));
        popup.className = 'popup'; popup.style = 'position: absolute; top: 80px';
        popup.innerHTML = '<table>' + Array.from({ length: 31 }, (_, at) => '<td>' + (at + 1) + '</td>').join('') + '</table>' };
      day.onkeydown = ({ key }) => { if (key === 'Enter') { outcome.push(day.value); document.querySelector('.popup').remove() } }</script>`,
    );
    expect(await fill('textbox "Day"', '2026-05-20')).toMatch(/^Filled @e\d+ textbox "Day"\.$/);
    expect(await outcome()).toBe('["2026-05-20"]');
    expect(await overlays()).toBe('0');
  });

  const EDITOR =
    '<div class="monaco-editor"><div class="view-lines">a = 1</div><textarea aria-label="Program" style="width: 1px; height: 1px"></textarea></div>';

  it('an editor by its own interface', async () => {
    await show(
      kit,
      `${EDITOR}<script>let text = 'a = 1'; const range = { collapseToEnd: () => null };
      const one = { getDomNode: () => document.querySelector('.monaco-editor'), getModel: () => ({ getFullModelRange: () => range }), focus() {}, getValue: () => text,
        executeEdits: (_, [edit]) => { text = edit.range ? edit.text : text + edit.text } };
      var monaco = { editor: { getEditors: () => [one] } }</script>`,
    );
    await fill('textbox "Program"', 'if (a) {\n  b()\n}');
    expect(await js(kit, 'text')).toBe('if (a) {\n  b()\n}');
  });

  it('an editor whose page keeps that to itself: how to do it by hand', async () => {
    await show(kit, EDITOR);
    const { text } = await kit.fails('fill', { selector: await kit.ref('textbox "Program"'), value: 'b' });
    expect(text).toMatch(/Nothing was done.*By hand: click it, press Control\+a, then type/s);
  });
});

describe('16 a date for a read-only field', () => {
  /** A calendar that opens at a click, with the days of the months around greyed out, and a label on each day if asked. */
  const calendar = (says: string): string => `<label>Due <input id="due" readonly value="05/02/2026"></label>
    <div id="pop" style="display: none; position: absolute; background: white; width: 260px"></div><script>
    let year = 2026, month = 4;
    const draw = () => {
      const name = new Date(year, month, 1).toLocaleString('en', { month: 'long' });
      const first = new Date(year, month, 1 - new Date(year, month, 1).getDay());
      pop.innerHTML = '<button class="year-back">«</button><button title="Previous month">‹</button><b>' + name + '</b> <i>' + year + '</i><button title="Next month">›</button><button class="next-year">»</button><div></div>';
      for (let at = 0; at < 42; at++) {
        const day = new Date(first.getFullYear(), first.getMonth(), first.getDate() + at);
        const cell = Object.assign(document.createElement('span'), { textContent: day.getDate(), style: 'display: inline-block; width: 30px' });
        if (day.getMonth() !== month) cell.className = 'day outside'; else cell.className = 'day';
        ${says}
        cell.onclick = () => { due.value = (day.getMonth() + 1) + '/' + day.getDate() + '/' + day.getFullYear(); pop.style.display = 'none'; };
        pop.lastChild.append(cell);
      }
      const [, before, after] = pop.querySelectorAll('button');
      before.onclick = () => { month = (month + 11) % 12; if (month === 11) year--; draw(); };
      after.onclick = () => { month = (month + 1) % 12; if (month === 0) year++; draw(); };
    };
    due.onclick = () => { pop.style.display = 'block'; draw(); };
  </script>`;

  it.each([
    ['by the month at its top', ''],
    [
      'by what each day says',
      `cell.setAttribute('aria-label', 'Choose ' + day.toLocaleString('en', { month: 'long', day: 'numeric', year: 'numeric' })); pop.children[2].textContent = '';`,
    ],
  ])('goes by its calendar, forwards and back: %s', async (_how, says) => {
    await show(kit, calendar(says));
    expect(await kit.ok('fill', { selector: await kit.ref('textbox "Due"'), value: '2026-08-31' })).toContain(
      '"8/31/2026"',
    );
    expect(await fieldValue(kit, '#due')).toBe('8/31/2026');
    await kit.ok('fill', { selector: '#due', value: '2025-12-01', timeout: 15_000 });
    expect(await fieldValue(kit, '#due')).toBe('12/1/2025');
    expect(await js(kit, 'pop.style.display')).toBe('none');
  });

  it('without a calendar, or with a day that is in none: told, with the steps by hand', async () => {
    await show(kit, '<input readonly value="1">');
    const { code, text } = await kit.fails('fill', { selector: 'input', value: '2026-08-31' });
    expect([code, text]).toEqual([
      'not_actionable',
      expect.stringMatching(/is read-only, and opened no calendar\.\nBy hand: /),
    ]);
    await show(kit, calendar('').replace('title="Next month">›', '>?'));
    const missing = await kit.fails('fill', { selector: '#due', value: '2026-07-01' });
    expect(missing.text).toContain('has a calendar in which 2026-7-1 was not found in time');
    expect(await fieldValue(kit, '#due')).toBe('05/02/2026');
  });
});
