// Mantine: lists, tags, a number, a slider, stars, a pin, a colour, a segmented control.
import {
  ColorInput,
  MantineProvider,
  MultiSelect,
  NumberInput,
  PinInput,
  Rating,
  SegmentedControl,
  Select,
  Slider,
  TagsInput,
} from '@mantine/core';
import '@mantine/core/styles.css';
import { record } from '../record.js';
import { render } from './render.jsx';

const note = key => value => record({ [key]: value });

const Fields = () => (
  <MantineProvider>
    <Select label="Library" data={['React', 'Vue', 'Svelte']} onChange={note('library')} />
    <Select label="Town" searchable data={['Bergen', 'Bremen', 'Brno']} onChange={note('town')} />
    <MultiSelect label="Sports" data={['Judo', 'Polo', 'Golf']} onChange={note('sports')} />
    <TagsInput label="Keywords" defaultValue={['old']} onChange={note('keywords')} />
    <NumberInput label="Weight" suffix=" kg" thousandSeparator="," onChange={note('weight')} />
    <Slider thumbLabel="Heat" defaultValue={20} onChange={note('heat')} />
    <Rating onChange={note('stars')} />
    <PinInput aria-label="Pin" type="number" onComplete={note('pin')} />
    <ColorInput label="Paint" onChange={note('paint')} />
    <SegmentedControl aria-label="Size" data={['Small', 'Middle', 'Big']} onChange={note('size')} />
  </MantineProvider>
);

render(Fields);
