// React 19.
import { createRoot } from 'react-dom/client';
import { Board } from './board.jsx';

createRoot(document.getElementById('root')).render(<Board />);
