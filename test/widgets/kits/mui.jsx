// MUI: lists, a search field, chips, stars, a slider, a tree, tabs, a dialog.
import {
  Autocomplete,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  FormControl,
  InputLabel,
  MenuItem,
  Rating,
  Select,
  Slider,
  Tab,
  Tabs,
  TextField,
} from '@mui/material';
import { SimpleTreeView, TreeItem } from '@mui/x-tree-view';
import { useState } from 'react';
import { record } from '../record.js';
import { render } from './render.jsx';

function Country() {
  const [country, setCountry] = useState('');
  const choose = event => {
    setCountry(event.target.value);
    record({ country: event.target.value });
  };
  return (
    <FormControl fullWidth>
      <InputLabel id="country">Country</InputLabel>
      <Select labelId="country" label="Country" value={country} onChange={choose}>
        {['Peru', 'Spain', 'Japan'].map(name => (
          <MenuItem key={name} value={name}>
            {name}
          </MenuItem>
        ))}
      </Select>
    </FormControl>
  );
}

const Film = () => (
  <Autocomplete
    options={['Alien', 'Amadeus', 'Brazil', 'Casablanca']}
    onChange={(_, film) => record({ film })}
    renderInput={params => <TextField {...params} label="Film" />}
  />
);

const Labels = () => (
  <Autocomplete
    multiple
    defaultValue={['Urgent']}
    options={['Urgent', 'Home', 'Work']}
    onChange={(_, labels) => record({ labels })}
    renderInput={params => <TextField {...params} label="Labels" />}
  />
);

const Stars = () => <Rating name="stars" defaultValue={2} onChange={(_, stars) => record({ stars })} />;

const Volume = () => <Slider aria-label="Volume" defaultValue={30} onChange={(_, volume) => record({ volume })} />;

const Files = () => (
  <SimpleTreeView aria-label="Files" onItemSelectionToggle={(_, file, on) => on && record({ file })}>
    <TreeItem itemId="documents" label="Documents">
      <TreeItem itemId="letter" label="Letter" />
    </TreeItem>
    <TreeItem itemId="pictures" label="Pictures">
      <TreeItem itemId="beach" label="Beach" />
      <TreeItem itemId="forest" label="Forest" />
    </TreeItem>
  </SimpleTreeView>
);

function Views() {
  const [view, setView] = useState('list');
  const show = (_, next) => {
    setView(next);
    record({ view: next });
  };
  return (
    <Tabs value={view} onChange={show} aria-label="Views">
      <Tab label="List" value="list" />
      <Tab label="Board" value="board" />
      <Tab label="Map" value="map" />
    </Tabs>
  );
}

function Rename() {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('Untitled');
  const save = () => {
    record({ name });
    setOpen(false);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Rename</Button>
      <Dialog open={open} onClose={() => setOpen(false)}>
        <DialogTitle>Rename the file</DialogTitle>
        <DialogContent>
          <TextField label="Name" margin="dense" value={name} onChange={event => setName(event.target.value)} />
        </DialogContent>
        <DialogActions>
          <Button onClick={save}>Save</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

render(Country, Film, Labels, Stars, Volume, Files, Views, Rename);
