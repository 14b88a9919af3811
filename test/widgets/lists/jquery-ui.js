// jQuery UI: sortable, draggable onto droppable, slider, date picker, autocomplete, tabs.
import $ from 'jquery';
import { record } from '../record.js';

window.jQuery = window.$ = $;
document.getElementById('root').innerHTML = `
  <h1>Kitchen</h1>
  <ul id="order"><li>Wash</li><li>Peel</li><li>Cook</li><li>Serve</li></ul>
  <div id="apple" class="card">Apple</div><div id="basket" class="column">Basket</div>
  <label id="heat">Heat</label><div id="slider" aria-labelledby="heat" style="width: 300px"></div>
  <p><label>Day <input id="day"></label></p>
  <p><label>Fruit <input id="fruit"></label></p>`;

async function start() {
  await import('jquery-ui/dist/jquery-ui.js');
  $('#order').sortable({ update: () => record({ order: $('#order li').get().map(item => item.textContent) }) });
  $('#apple').draggable();
  $('#basket').droppable({ drop: () => record({ basket: 'Apple' }) });
  $('#slider').slider({ value: 20, change: (_, { value }) => record({ heat: value }) });
  $('#day').datepicker({ defaultDate: '05/01/2026', onSelect: day => record({ day }) });
  $('#fruit').autocomplete({ source: ['Apple', 'Apricot', 'Banana'], minLength: 0, select: (_, { item }) => record({ fruit: item.value }) });
}
start();
