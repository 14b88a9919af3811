// React 17.
import { render } from 'react-dom';
import { Board } from './board.jsx';

render(<Board />, document.getElementById('root'));
