// Radix: primitives without a style.
import { Accordion, Dialog, DropdownMenu, RadioGroup, Select, Slider, Switch, Tabs, ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { record } from '../record.js';
import { render } from './render.jsx';

const box = { display: 'block', width: 200, height: 20, position: 'relative', background: '#ddd' };
const thumb = { display: 'block', width: 20, height: 20, background: '#555' };

const Fruit = () => (
  <Select.Root onValueChange={fruit => record({ fruit })}>
    <Select.Trigger aria-label="Fruit">
      <Select.Value placeholder="Choose a fruit" />
    </Select.Trigger>
    <Select.Portal>
      <Select.Content position="popper">
        <Select.Viewport>
          {['Fig', 'Kiwi', 'Mango'].map(name => (
            <Select.Item key={name} value={name.toLowerCase()}>
              <Select.ItemText>{name}</Select.ItemText>
            </Select.Item>
          ))}
        </Select.Viewport>
      </Select.Content>
    </Select.Portal>
  </Select.Root>
);

const Speed = () => (
  <Slider.Root style={box} defaultValue={[20]} max={200} step={5} onValueChange={([speed]) => record({ speed })}>
    <Slider.Track style={{ display: 'block', height: 20 }}>
      <Slider.Range />
    </Slider.Track>
    <Slider.Thumb style={thumb} aria-label="Speed" />
  </Slider.Root>
);

const Density = () => (
  <RadioGroup.Root aria-label="Density" onValueChange={density => record({ density })}>
    {['Roomy', 'Normal', 'Dense'].map(name => (
      <p key={name}>
        <RadioGroup.Item style={thumb} value={name.toLowerCase()} id={name} />
        <label htmlFor={name}>{name}</label>
      </p>
    ))}
  </RadioGroup.Root>
);

const Plane = () => (
  <label>
    Flight mode
    <Switch.Root style={thumb} onCheckedChange={flight => record({ flight })}>
      <Switch.Thumb />
    </Switch.Root>
  </label>
);

const Actions = () => (
  <DropdownMenu.Root>
    <DropdownMenu.Trigger>Actions</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content>
        <DropdownMenu.Item onSelect={() => record({ action: 'copy' })}>Copy</DropdownMenu.Item>
        <DropdownMenu.Item onSelect={() => record({ action: 'archive' })}>Archive</DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

const Align = () => (
  <ToggleGroup.Root type="single" aria-label="Alignment" onValueChange={align => record({ align })}>
    {['Left', 'Centre', 'Right'].map(name => (
      <ToggleGroup.Item key={name} value={name.toLowerCase()}>
        {name}
      </ToggleGroup.Item>
    ))}
  </ToggleGroup.Root>
);

const Questions = () => (
  <Accordion.Root type="single" collapsible onValueChange={question => record({ question })}>
    {['Delivery', 'Returns'].map(name => (
      <Accordion.Item key={name} value={name}>
        <Accordion.Header>
          <Accordion.Trigger>{name}</Accordion.Trigger>
        </Accordion.Header>
        <Accordion.Content>{`About ${name}`}</Accordion.Content>
      </Accordion.Item>
    ))}
  </Accordion.Root>
);

const Panels = () => (
  <Tabs.Root defaultValue="Mine" onValueChange={panel => record({ panel })}>
    <Tabs.List>
      {['Mine', 'Shared'].map(name => (
        <Tabs.Trigger key={name} value={name}>
          {name}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  </Tabs.Root>
);

function Nickname() {
  const [nick, setNick] = useState('');
  return (
    <Dialog.Root>
      <Dialog.Trigger>Edit profile</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Content aria-describedby={undefined}>
          <Dialog.Title>Profile</Dialog.Title>
          <label>
            Nickname <input value={nick} onChange={event => setNick(event.target.value)} />
          </label>
          <Dialog.Close onClick={() => record({ nick })}>Done</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

render(Fruit, Speed, Density, Plane, Actions, Align, Questions, Panels, Nickname);
