// Tom Select: one choice, and tags that can be made and removed.
import TomSelect from 'tom-select';
import 'tom-select/dist/css/tom-select.css';
import { record } from '../record.js';

document.getElementById('root').innerHTML = `
  <p><label for="country">Country</label> <select id="country"><option value="">Choose…</option>
    ${['Chile', 'Cuba', 'Fiji', 'Ghana'].map(name => `<option value="${name}">${name}</option>`).join('')}</select></p>
  <p><label for="tags">Tags</label> <input id="tags" value="red,blue"></p>`;
new TomSelect('#country', { onChange: country => record({ country }) });
new TomSelect('#tags', { create: true, plugins: ['remove_button'], onChange: tags => record({ tags: tags.split(',') }) });
