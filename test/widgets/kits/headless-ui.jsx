// Headless UI: lists, a search field, radio buttons, a menu, a switch.
import {
  Combobox,
  ComboboxButton,
  ComboboxInput,
  ComboboxOption,
  ComboboxOptions,
  Field,
  Label,
  Listbox,
  ListboxButton,
  ListboxOption,
  ListboxOptions,
  Menu,
  MenuButton,
  MenuItem,
  MenuItems,
  Radio,
  RadioGroup,
  Switch,
} from '@headlessui/react';
import { useState } from 'react';
import { record } from '../record.js';
import { render } from './render.jsx';

const PEOPLE = ['Wade Cooper', 'Arlene McCoy', 'Tom Cook'];

/** A value of one's own that is also recorded. */
function useRecorded(key, first) {
  const [value, setValue] = useState(first);
  const set = next => {
    setValue(next);
    record({ [key]: next });
  };
  return [value, set];
}

function Owner() {
  const [owner, setOwner] = useRecorded('owner', 'Nobody');
  return (
    <Field>
      <Label>Owner</Label>
      <Listbox value={owner} onChange={setOwner}>
        <ListboxButton>{owner}</ListboxButton>
        <ListboxOptions anchor="bottom">
          {PEOPLE.map(name => (
            <ListboxOption key={name} value={name}>
              {name}
            </ListboxOption>
          ))}
        </ListboxOptions>
      </Listbox>
    </Field>
  );
}

function Reviewers() {
  const [reviewers, setReviewers] = useRecorded('reviewers', []);
  return (
    <Field>
      <Label>Reviewers</Label>
      <Listbox value={reviewers} onChange={setReviewers} multiple>
        <ListboxButton>{reviewers.length ? reviewers.join(', ') : 'None'}</ListboxButton>
        <ListboxOptions anchor="bottom">
          {PEOPLE.map(name => (
            <ListboxOption key={name} value={name}>
              {name}
            </ListboxOption>
          ))}
        </ListboxOptions>
      </Listbox>
    </Field>
  );
}

function Lead() {
  const [query, setQuery] = useState('');
  const [lead, setLead] = useRecorded('lead', null);
  const shown = PEOPLE.filter(name => name.toLowerCase().includes(query.toLowerCase()));
  return (
    <Field>
      <Label>Lead</Label>
      <Combobox value={lead} onChange={setLead} onClose={() => setQuery('')}>
        <ComboboxInput displayValue={name => name ?? ''} onChange={event => setQuery(event.target.value)} />
        <ComboboxButton>▼</ComboboxButton>
        <ComboboxOptions anchor="bottom">
          {shown.map(name => (
            <ComboboxOption key={name} value={name}>
              {name}
            </ComboboxOption>
          ))}
        </ComboboxOptions>
      </Combobox>
    </Field>
  );
}

function Plan() {
  const [plan, setPlan] = useRecorded('plan', 'Free');
  return (
    <RadioGroup value={plan} onChange={setPlan} aria-label="Plan">
      {['Free', 'Team', 'Company'].map(name => (
        <Field key={name}>
          <Radio value={name}>○</Radio> <Label>{name}</Label>
        </Field>
      ))}
    </RadioGroup>
  );
}

const More = () => (
  <Menu>
    <MenuButton>More</MenuButton>
    <MenuItems anchor="bottom">
      <MenuItem>
        <button type="button" onClick={() => record({ more: 'edit' })}>
          Edit
        </button>
      </MenuItem>
      <MenuItem>
        <button type="button" onClick={() => record({ more: 'duplicate' })}>
          Duplicate
        </button>
      </MenuItem>
    </MenuItems>
  </Menu>
);

function Alerts() {
  const [on, setOn] = useRecorded('alerts', false);
  return (
    <Field>
      <Label>Alerts</Label>
      <Switch checked={on} onChange={setOn} style={{ width: 40, height: 20 }} />
    </Field>
  );
}

render(Owner, Reviewers, Lead, Plan, More, Alerts);
