// htmx: elements that ask the server, which answers /said/TEXT with that text.
import 'htmx.org';
import { DISHES, PEOPLE, TASKS } from './data.js';
import { record } from '../record.js';

const asks = (text, trigger, into) =>
  `hx-get="/said/${encodeURIComponent(text)}" hx-trigger="${trigger}" hx-target="${into}"`;

document.getElementById('root').innerHTML = `
  <main>
    <h1>Board</h1>
    <h2>Tasks</h2>
    <ul>${TASKS.map(task => `<li><input type="checkbox"><label ${asks(task, 'dblclick', '#opened')}>${task}</label></li>`).join('')}</ul>
    <h2>Dishes</h2>
    <ul>${DISHES.map(dish => `<li ${asks(dish, 'click', '#dish')}>${dish}</li>`).join('')}</ul>
    <h2>People</h2>
    <table>${PEOPLE.map(([name, city]) => `<tr ${asks(name, 'mousedown', '#person')}><td>${name}</td><td>${city}</td></tr>`).join('')}</table>
    <div class="account" ${asks('Signed in as Eve', 'mouseenter', '#account')}>Account</div>
    <p id="opened"></p><p id="dish"></p><p id="person"></p><p id="account"></p>
  </main>`;

for (const id of ['opened', 'dish', 'person', 'account']) {
  const place = document.getElementById(id);
  new MutationObserver(() => record({ [id]: place.textContent })).observe(place, { childList: true });
}
