// React Aria Components: lists, a search field, dates by segments, numbers, a slider, tags.
import { parseDate } from '@internationalized/date';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  ComboBox,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  FieldError,
  Group,
  Heading,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  NumberField,
  Popover,
  Select,
  SelectValue,
  Slider,
  SliderThumb,
  SliderTrack,
  Tag,
  TagGroup,
  TagList,
} from 'react-aria-components';
import { record } from '../record.js';
import { render } from './render.jsx';

const Items = ({ names }) => (
  <Popover>
    <ListBox>
      {names.map(name => (
        <ListBoxItem key={name} id={name}>
          {name}
        </ListBoxItem>
      ))}
    </ListBox>
  </Popover>
);

const Animal = () => (
  <Select onChange={animal => record({ animal })}>
    <Label>Animal</Label>
    <Button>
      <SelectValue />
    </Button>
    <Items names={['Cat', 'Dog', 'Otter']} />
  </Select>
);

const River = () => (
  <ComboBox onChange={river => record({ river })}>
    <Label>River</Label>
    <Input />
    <Button>▼</Button>
    <Items names={['Danube', 'Nile', 'Volga']} />
  </ComboBox>
);

const Start = () => (
  <DatePicker defaultValue={parseDate('2026-05-01')} onChange={date => record({ start: date?.toString() })}>
    <Label>Start</Label>
    <Group>
      <DateInput style={{ display: 'inline-flex' }}>{segment => <DateSegment segment={segment} />}</DateInput>
      <Button>▼</Button>
    </Group>
    <FieldError />
    <Popover>
      <Dialog>
        <Calendar>
          <header>
            <Button slot="previous">◀</Button>
            <Heading />
            <Button slot="next">▶</Button>
          </header>
          <CalendarGrid>{date => <CalendarCell date={date} />}</CalendarGrid>
        </Calendar>
      </Dialog>
    </Popover>
  </DatePicker>
);

const Seats = () => (
  <NumberField defaultValue={2} minValue={1} maxValue={9} onChange={seats => record({ seats })}>
    <Label>Seats</Label>
    <Group>
      <Button slot="decrement">-</Button>
      <Input />
      <Button slot="increment">+</Button>
    </Group>
  </NumberField>
);

const Light = () => (
  <Slider defaultValue={40} onChange={light => record({ light })}>
    <Label>Light</Label>
    <SliderTrack style={{ position: 'relative', height: 30, width: 300 }}>
      <SliderThumb style={{ width: 20, height: 20, background: '#555', top: '50%' }} />
    </SliderTrack>
  </Slider>
);

const Filters = () => (
  <TagGroup onRemove={keys => record({ removed: [...keys] })}>
    <Label>Filters</Label>
    <TagList>
      {['Cheap', 'Near'].map(name => (
        <Tag key={name} id={name} textValue={name}>
          {name} <Button slot="remove">×</Button>
        </Tag>
      ))}
    </TagList>
  </TagGroup>
);

render(Animal, River, Start, Seats, Light, Filters);
