// react-window: a list of files of which only some are in the document.
import { createRoot } from 'react-dom/client';
import { List } from 'react-window';
import { record } from '../record.js';

const Row = ({ index, style }) => (
  <div style={style} onDoubleClick={() => record({ file: `file-${index}.txt` })}>{`file-${index}.txt`}</div>
);

createRoot(document.getElementById('root')).render(
  <List rowComponent={Row} rowCount={500} rowHeight={30} rowProps={{}} style={{ height: 300, width: 300 }} aria-label="Files" tabIndex={0} />,
);
