// Jobs on grids and on lists of which only some is in the document.
import type { Jobs } from '../job.ts';

export const DATA_JOBS: Jobs = {
  'ag-grid': [
    { name: 'sort by price', steps: [{ click: '"Price"' }], expect: { sort: ['price asc'] } },
    { name: 'select a row', steps: [{ click: '"Product 3"' }], expect: { row: 'Product 3' } },
    {
      name: 'change a price',
      steps: [{ dblclick: '"74"' }, { press: 'Control+a' }, { type: '80' }, { press: 'Enter' }],
      expect: { edited: 'Product 2: 80' },
    },
  ],
  'tanstack-table': [
    { name: 'sort by name', steps: [{ click: '"Name"' }], expect: { shown: ['Amy', 'Ben', 'Eva', 'Ida'] } },
    { name: 'open a row by double click', steps: [{ dblclick: '"Max"' }], expect: { opened: 'Max' } },
    { name: 'turn the page', steps: [{ click: '"Next page"' }], expect: { shown: ['Amy', 'Leo', 'Eva'] } },
  ],
  'tanstack-virtual': [
    {
      name: 'choose a contact far down',
      steps: [{ reach: '"Contact 150"', in: 'list "Contacts"' }, { click: '"Contact 150"' }],
      expect: { contact: 150 },
    },
    {
      name: 'read a story that is loaded on the way',
      steps: [{ reach: '"Read 45"', in: 'list "News"' }, { click: '"Read 45"' }],
      expect: { story: 45 },
    },
  ],
  'react-window': [
    { name: 'open a file by double click', steps: [{ dblclick: '"file-3.txt"' }], expect: { file: 'file-3.txt' } },
    {
      name: 'open a file far down',
      steps: [{ reach: '"file-120.txt"', in: 'list "Files"' }, { dblclick: '"file-120.txt"' }],
      expect: { file: 'file-120.txt' },
    },
  ],
};
