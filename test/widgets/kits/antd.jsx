// Ant Design: lists, cascades, trees, transfer, dates, colour, stars, numbers, tabs, a dialog.
import {
  Button,
  Cascader,
  ColorPicker,
  DatePicker,
  Form,
  Input,
  InputNumber,
  Modal,
  Rate,
  Select,
  Slider,
  Tabs,
  Transfer,
  TreeSelect,
} from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { record } from '../record.js';
import { render } from './render.jsx';

const note = key => value => record({ [key]: value });
const options = names => names.map(name => ({ label: name, value: name }));
const NUMBERED = Array.from({ length: 300 }, (_, index) => `Room ${index + 1}`);
const PLACES = [
  {
    label: 'Italy',
    value: 'italy',
    children: [
      { label: 'Rome', value: 'rome' },
      { label: 'Milan', value: 'milan' },
    ],
  },
  { label: 'Norway', value: 'norway', children: [{ label: 'Oslo', value: 'oslo' }] },
];
const TEAMS = [
  { title: 'Sales', value: 'sales', children: [{ title: 'North', value: 'north' }] },
  { title: 'Design', value: 'design', children: [{ title: 'Icons', value: 'icons' }] },
];

const Fields = () => (
  <Form layout="vertical">
    <Form.Item label="Fruit" name="fruit">
      <Select options={options(['Apple', 'Banana', 'Cherry'])} onChange={note('fruit')} />
    </Form.Item>
    <Form.Item label="Room" name="room">
      <Select showSearch options={options(NUMBERED)} onChange={note('room')} />
    </Form.Item>
    <Form.Item label="Skills" name="skills">
      <Select mode="multiple" options={options(['Singing', 'Rowing', 'Chess'])} onChange={note('skills')} />
    </Form.Item>
    <Form.Item label="City" name="city">
      <Cascader options={PLACES} onChange={note('city')} />
    </Form.Item>
    <Form.Item label="Team" name="team">
      <TreeSelect treeData={TEAMS} onChange={note('team')} />
    </Form.Item>
    <Form.Item label="Birthday" name="birthday">
      <DatePicker onChange={(_, birthday) => record({ birthday })} />
    </Form.Item>
    <Form.Item label="Stay" name="stay">
      <DatePicker.RangePicker onChange={(_, stay) => record({ stay })} defaultPickerValue={[dayjs('2026-05-01'), dayjs('2026-06-01')]} />
    </Form.Item>
    <Form.Item label="Guests" name="guests">
      <InputNumber min={1} max={20} onChange={note('guests')} />
    </Form.Item>
    <Form.Item label="Comfort" name="comfort">
      <Rate onChange={note('comfort')} />
    </Form.Item>
    <Form.Item label="Price" name="price">
      <Slider max={500} onChange={note('price')} />
    </Form.Item>
    <Form.Item label="Ink" name="ink">
      <ColorPicker showText defaultValue="#1677ff" onChange={colour => record({ ink: colour.toHexString() })} />
    </Form.Item>
  </Form>
);

function Move() {
  const [keys, setKeys] = useState([]);
  const move = next => {
    setKeys(next);
    record({ packed: next });
  };
  return (
    <Transfer
      dataSource={['Tent', 'Lamp', 'Rope'].map(title => ({ key: title, title }))}
      targetKeys={keys}
      onChange={move}
      render={item => item.title}
    />
  );
}

const Pages = () => (
  <Tabs items={['Profile', 'Billing', 'Security'].map(label => ({ key: label, label, children: `About ${label}` }))} onChange={note('tab')} />
);

function Invite() {
  const [open, setOpen] = useState(false);
  const [mail, setMail] = useState('');
  const send = () => {
    record({ invited: mail });
    setOpen(false);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Invite</Button>
      <Modal title="Invite someone" open={open} onOk={send} okText="Send" onCancel={() => setOpen(false)}>
        <Input aria-label="Mail" value={mail} onChange={event => setMail(event.target.value)} />
      </Modal>
    </>
  );
}

render(Fields, Move, Pages, Invite);
