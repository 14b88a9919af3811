// Konva: shapes of two layers on a stage, one of them turned inside a group.
import Konva from 'konva';
import { record } from '../record.js';

document.getElementById('root').innerHTML = '<h1>Floor</h1><div id="floor"></div>';
const stage = new Konva.Stage({ container: 'floor', width: 500, height: 300 });
const [rooms, things] = [new Konva.Layer(), new Konva.Layer()];
rooms.add(new Konva.Rect({ name: 'Kitchen', x: 20, y: 20, width: 180, height: 120, fill: 'beige' }));
rooms.add(new Konva.Rect({ name: 'Hall', x: 220, y: 20, width: 180, height: 120, fill: 'lightblue' }));
const table = new Konva.Group({ name: 'Table', x: 120, y: 220, rotation: 45, scaleX: 1.5, scaleY: 1.5 });
table.add(new Konva.Rect({ x: 10, y: -15, width: 60, height: 30, fill: 'brown' }));
things.add(table, new Konva.Circle({ id: 'Lamp', x: 400, y: 220, radius: 25, fill: 'gold' }), new Konva.Text({ x: 260, y: 210, text: 'Stairs', fontSize: 24 }));
stage.add(rooms, things);
stage.on('click', ({ target }) => record({ hit: target.name() || target.id() || target.text?.() || target.getParent()?.name() || null }));
stage.draw();
