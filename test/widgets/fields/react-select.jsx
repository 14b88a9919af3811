// react-select: one choice, several choices, and one that can be made.
import { createRoot } from 'react-dom/client';
import Select from 'react-select';
import Creatable from 'react-select/creatable';
import { record } from '../record.js';

const options = ['Ocean', 'Forest', 'Desert', 'Meadow'].map(label => ({ label, value: label }));

createRoot(document.getElementById('root')).render(
  <main>
    <label htmlFor="theme">Theme</label>
    <Select inputId="theme" options={options} onChange={({ value }) => record({ theme: value })} />
    <label htmlFor="places">Places</label>
    <Select
      inputId="places"
      isMulti
      options={options}
      defaultValue={[options[0]]}
      onChange={all => record({ places: all.map(({ value }) => value) })}
    />
    <label htmlFor="colour">Colour</label>
    <Creatable inputId="colour" options={options} onChange={({ value }) => record({ colour: value })} />
  </main>,
);
