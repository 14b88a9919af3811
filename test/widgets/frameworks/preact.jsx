// Preact, with its names of React's functions.
import { render } from 'react-dom';
import { Board } from './board.jsx';

render(<Board />, document.getElementById('root'));
