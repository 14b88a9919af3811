// SortableJS: a list to put in order, and two lists that exchange items.
import Sortable from 'sortablejs';
import { record } from '../record.js';

const list = (id, texts) => `<ul id="${id}">${texts.map(text => `<li>${text}</li>`).join('')}</ul>`;
document.getElementById('root').innerHTML = `
  <h1>Errands</h1>${list('order', ['Bank', 'Post', 'Market', 'Library', 'Bakery'])}
  <h2>To do</h2>${list('todo', ['Write', 'Paint'])}
  <h2>Finished</h2>${list('finished', ['Sweep'])}
  <h2>Playlist</h2><ul id="songs"><li><span class="grip" title="Move">::</span> Aria</li><li><span class="grip" title="Move">::</span> Blues</li><li><span class="grip" title="Move">::</span> Canon</li></ul>`;

const texts = id => [...document.getElementById(id).children].map(item => item.textContent.replace('::', '').trim());
const tell = () => record({ order: texts('order'), todo: texts('todo'), finished: texts('finished'), songs: texts('songs') });
for (const id of ['order', 'todo', 'finished', 'songs'])
  new Sortable(document.getElementById(id), {
    animation: 100,
    onSort: tell,
    ...(id === 'todo' || id === 'finished' ? { group: 'work' } : {}),
    ...(id === 'songs' ? { handle: '.grip' } : {}),
  });
