// Material Web: web components with a shadow root each.
import '@material/web/all.js';
import { record } from '../record.js';

const options = names => names.map(name => `<md-select-option value="${name.toLowerCase()}"><div slot="headline">${name}</div></md-select-option>`).join('');
document.getElementById('root').innerHTML = `<main style="max-width: 480px">
  <div><md-outlined-select id="tree" label="Tree">${options(['Oak', 'Birch', 'Pine'])}</md-outlined-select></div>
  <div><md-filled-text-field id="keeper" label="Keeper"></md-filled-text-field></div>
  <div><md-slider id="shade" aria-label="Shade" min="0" max="100" value="50"></md-slider></div>
  <p><label>Fenced <md-checkbox id="fenced"></md-checkbox></label></p>
  <p><label>Lights <md-switch id="lights"></md-switch></label></p>
  <p role="radiogroup" aria-label="Soil"><label><md-radio name="soil" value="clay"></md-radio> Clay</label> <label><md-radio name="soil" value="sand"></md-radio> Sand</label></p>
  <md-tabs><md-primary-tab>Plan</md-primary-tab><md-primary-tab>Photos</md-primary-tab></md-tabs>
  <md-chip-set><md-filter-chip id="shady" label="Shady"></md-filter-chip></md-chip-set>
  <div><md-text-button id="remove">Remove</md-text-button></div>
  <md-dialog><div slot="headline">Remove the tree?</div><div slot="actions"><md-text-button id="sure">Remove it</md-text-button></div></md-dialog>
</main>`;
const by = id => document.getElementById(id);
const on = (id, type, key) => by(id).addEventListener(type, () => record({ [id]: by(id)[key] }));
on('tree', 'change', 'value');
on('keeper', 'input', 'value');
on('shade', 'change', 'value');
on('fenced', 'change', 'checked');
on('lights', 'change', 'selected');
for (const radio of document.querySelectorAll('md-radio')) radio.addEventListener('change', () => radio.checked && record({ soil: radio.value }));
document.querySelector('md-tabs').addEventListener('change', ({ target }) => record({ tab: target.activeTabIndex }));
by('shady').addEventListener('click', () => setTimeout(() => record({ shady: by('shady').selected })));
by('remove').addEventListener('click', () => document.querySelector('md-dialog').show());
by('sure').addEventListener('click', () => {
  record({ removed: true });
  document.querySelector('md-dialog').close();
});
