// Twenty pages of the test site, what is done on each by ref, and what the page has to show for it afterwards.

type Act =
  /** Clicks the first element whose line in the snapshot holds the words. */
  { click: string } | { fill: string; with: string } | { type: string; with: string };

export interface Page {
  page: string;
  kind: 'form' | 'table' | 'dialog' | 'frame' | 'shadow' | 'app' | 'widget';
  acts: Act[];
  /** An expression in the page, and what it gives; or an element by its line, and its value. */
  proof: { expression: string; is: string } | { valueOf: string; is: string };
}

const log = "document.getElementById('log').textContent";

export const PAGES: readonly Page[] = [
  {
    page: 'signup.html',
    kind: 'form',
    acts: [
      { fill: 'textbox "Full name"', with: 'Ada Lovelace' },
      { type: 'textbox "Email"', with: 'ada@example.org' },
      { fill: 'textbox "Password"', with: 'difference engine' },
      { click: 'checkbox "I accept the terms"' },
      { click: 'button "Sign up"' },
    ],
    proof: { expression: 'location.pathname', is: '/signup' },
  },
  {
    page: 'login.html',
    kind: 'form',
    acts: [
      { fill: 'textbox "Email address"', with: 'ada@example.org' },
      { type: 'textbox "Password"', with: 'open sesame' },
      { click: 'button "Log in"' },
    ],
    proof: { expression: "String(document.getElementById('code').hidden)", is: 'false' },
  },
  {
    page: 'checkout.html',
    kind: 'form',
    acts: [{ type: 'textbox "Card number"', with: '1234567812345678' }, { click: 'button "Pay' }],
    proof: { expression: "document.getElementById('error').textContent", is: 'Paid. Thank you!' },
  },
  {
    page: 'settings.html',
    kind: 'form',
    acts: [
      { fill: 'textbox "Nickname"', with: 'Countess' },
      { type: 'textbox "About you"', with: 'Notes' },
      { click: 'switch "Allow messages"' },
    ],
    proof: {
      expression:
        "[document.getElementById('nick').value, document.getElementById('bio').value, document.querySelectorAll('[role=switch]')[1].ariaChecked].join()",
      is: 'Countess,Notes,true',
    },
  },
  {
    page: 'wizard.html',
    kind: 'form',
    acts: [
      { fill: 'textbox "Street"', with: 'St James Square' },
      { click: 'button "Next"' },
      { click: 'radio "Bill"' },
      { click: 'button "Next"' },
    ],
    proof: { expression: "document.getElementById('check').textContent", is: 'St James Square' },
  },
  {
    page: 'table-grid.html',
    kind: 'table',
    acts: [{ click: 'button "Ship"' }],
    proof: { expression: "document.querySelector('[role=row][aria-selected]').ariaSelected", is: 'true' },
  },
  {
    page: 'calendar.html',
    kind: 'table',
    acts: [{ click: 'button "2024-02-29"' }],
    proof: { expression: "document.getElementById('day').value", is: '2024-02-29' },
  },
  {
    page: 'dialogs.html',
    kind: 'dialog',
    acts: [{ click: 'button "Alert"' }],
    proof: { expression: log, is: 'alert closed' },
  },
  {
    page: 'dialog-native.html',
    kind: 'dialog',
    acts: [{ click: 'button "New project"' }, { fill: 'textbox "Name"', with: 'Kite' }, { click: 'button "Create"' }],
    proof: { expression: log, is: 'create: Kite' },
  },
  {
    page: 'dialog-aria.html',
    kind: 'dialog',
    acts: [{ click: 'button "Delete all"' }, { click: 'button "Keep them"' }],
    proof: { expression: log, is: 'Kept' },
  },
  {
    page: 'signup-in-iframe.html',
    kind: 'frame',
    acts: [
      { fill: 'textbox "Full name"', with: 'Ada' },
      { type: 'textbox "Email"', with: 'ada@example.org' },
    ],
    proof: {
      expression: "document.querySelector('iframe').contentDocument.getElementById('email').value",
      is: 'ada@example.org',
    },
  },
  {
    page: 'signup-in-cross-origin-iframe.html',
    kind: 'frame',
    acts: [
      { fill: 'textbox "Full name"', with: 'Ada' },
      { type: 'textbox "Email"', with: 'ada@example.org' },
      { click: 'checkbox "I accept' },
    ],
    proof: { valueOf: 'textbox "Email"', is: 'ada@example.org' },
  },
  {
    page: 'signup-open-shadow.html',
    kind: 'shadow',
    acts: [
      { fill: 'textbox "Full name"', with: 'Ada' },
      { type: 'textbox "Full name"', with: ' Lovelace' },
    ],
    proof: { valueOf: 'textbox "Full name"', is: 'Ada Lovelace' },
  },
  {
    page: 'signup-closed-shadow.html',
    kind: 'shadow',
    acts: [{ fill: 'textbox "Full name"', with: 'Ada' }, { click: 'checkbox "I accept' }],
    proof: { valueOf: 'textbox "Full name"', is: 'Ada' },
  },
  {
    page: 'spa.html',
    kind: 'app',
    acts: [{ click: 'link "Inbox"' }, { click: 'link "Hello"' }],
    proof: { expression: 'location.search + location.hash', is: '?view=inbox#m1' },
  },
  {
    page: 'todo.html',
    kind: 'app',
    acts: [
      { type: 'textbox "New item"', with: 'Feed the cat' },
      { click: 'button "Add"' },
      { click: 'checkbox "Done: Feed the cat"' },
    ],
    proof: { expression: "document.querySelector('.done').textContent", is: '⠿Feed the cat×' },
  },
  {
    page: 'chat.html',
    kind: 'app',
    acts: [{ type: 'textbox "Message"', with: 'Where is it?' }, { click: 'button "Send"' }],
    proof: { expression: "document.querySelector('#log > :last-child p').textContent", is: 'Where is it?' },
  },
  {
    page: 'combobox.html',
    kind: 'widget',
    acts: [{ type: 'combobox "City"', with: 'Lis' }, { click: 'option "Lisbon"' }],
    proof: { expression: log, is: 'City: Lisbon' },
  },
  {
    page: 'menu.html',
    kind: 'widget',
    acts: [{ click: 'button "Actions"' }, { click: 'menuitem "Rename"' }],
    proof: { expression: log, is: 'Chosen: Rename' },
  },
  {
    page: 'tabs.html',
    kind: 'widget',
    acts: [{ click: 'tab "Reviews' }],
    proof: { expression: "String(document.getElementById('p2').hidden)", is: 'false' },
  },
];
