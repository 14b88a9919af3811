// downshift: a combobox and a select of one's own markup.
import { useCombobox, useSelect } from 'downshift';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

const BOOKS = ['Emma', 'Dracula', 'Ulysses', 'Walden'];

function Books() {
  const [items, setItems] = useState(BOOKS);
  const { isOpen, getToggleButtonProps, getLabelProps, getMenuProps, getInputProps, getItemProps } = useCombobox({
    items,
    onInputValueChange: ({ inputValue }) => setItems(BOOKS.filter(book => book.toLowerCase().includes(inputValue.toLowerCase()))),
    onSelectedItemChange: ({ selectedItem }) => record({ book: selectedItem }),
  });
  return (
    <div>
      <label {...getLabelProps()}>Book</label>
      <input {...getInputProps()} />
      <button {...getToggleButtonProps({ 'aria-label': 'Show books' })}>v</button>
      <ul {...getMenuProps()}>{isOpen && items.map((item, index) => <li key={item} {...getItemProps({ item, index })}>{item}</li>)}</ul>
    </div>
  );
}

function Size() {
  const items = ['Small', 'Medium', 'Large'];
  const { isOpen, selectedItem, getToggleButtonProps, getLabelProps, getMenuProps, getItemProps } = useSelect({
    items,
    onSelectedItemChange: change => record({ size: change.selectedItem }),
  });
  return (
    <div>
      <label {...getLabelProps()}>Size</label>
      <div {...getToggleButtonProps()}>{selectedItem ?? 'Choose a size'}</div>
      <ul {...getMenuProps()}>{isOpen && items.map((item, index) => <li key={item} {...getItemProps({ item, index })}>{item}</li>)}</ul>
    </div>
  );
}

createRoot(document.getElementById('root')).render(
  <main>
    <Books />
    <Size />
  </main>,
);
