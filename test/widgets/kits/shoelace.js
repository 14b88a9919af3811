// Shoelace: web components with a shadow root each.
import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/components/color-picker/color-picker.js';
import '@shoelace-style/shoelace/dist/components/dialog/dialog.js';
import '@shoelace-style/shoelace/dist/components/dropdown/dropdown.js';
import '@shoelace-style/shoelace/dist/components/input/input.js';
import '@shoelace-style/shoelace/dist/components/menu/menu.js';
import '@shoelace-style/shoelace/dist/components/menu-item/menu-item.js';
import '@shoelace-style/shoelace/dist/components/option/option.js';
import '@shoelace-style/shoelace/dist/components/range/range.js';
import '@shoelace-style/shoelace/dist/components/rating/rating.js';
import '@shoelace-style/shoelace/dist/components/select/select.js';
import '@shoelace-style/shoelace/dist/components/switch/switch.js';
import { record } from '../record.js';

const options = names => names.map(name => `<sl-option value="${name.toLowerCase()}">${name}</sl-option>`).join('');
document.getElementById('root').innerHTML = `<main style="max-width: 480px">
  <sl-select id="planet" label="Planet">${options(['Mars', 'Venus', 'Saturn'])}</sl-select>
  <sl-select id="moons" label="Moons" multiple clearable>${options(['Io', 'Titan', 'Europa'])}</sl-select>
  <sl-input id="pilot" label="Pilot"></sl-input>
  <sl-range id="fuel" label="Fuel" max="80" value="10"></sl-range>
  <sl-rating id="trust" label="Trust"></sl-rating>
  <sl-switch id="shield">Shield</sl-switch>
  <sl-color-picker id="hull" label="Hull" inline></sl-color-picker>
  <sl-dropdown id="orders"><button slot="trigger">Orders</button>
    <sl-menu><sl-menu-item value="launch">Launch</sl-menu-item><sl-menu-item value="dock">Dock</sl-menu-item></sl-menu></sl-dropdown>
  <button id="ask">Land</button>
  <sl-dialog label="Landing"><p>Land now?</p><button id="yes" slot="footer">Yes, land</button></sl-dialog>
</main>`;
const by = id => document.getElementById(id);
for (const id of ['planet', 'moons', 'pilot', 'fuel', 'trust', 'hull']) by(id).addEventListener('sl-change', () => record({ [id]: by(id).value }));
by('pilot').addEventListener('sl-input', () => record({ pilot: by('pilot').value }));
by('shield').addEventListener('sl-change', () => record({ shield: by('shield').checked }));
by('orders').addEventListener('sl-select', ({ detail }) => record({ order: detail.item.value }));
by('ask').onclick = () => document.querySelector('sl-dialog').show();
by('yes').onclick = () => {
  record({ landed: true });
  document.querySelector('sl-dialog').hide();
};
