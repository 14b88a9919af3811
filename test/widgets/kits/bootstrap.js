// Bootstrap: a menu, a dialog, tabs, an accordion, a switch, a range.
import 'bootstrap';
import 'bootstrap/dist/css/bootstrap.css';
import { record } from '../record.js';

document.getElementById('root').innerHTML = `<main class="container">
  <div class="dropdown"><button class="btn btn-primary dropdown-toggle" data-bs-toggle="dropdown">Sort by</button>
    <ul class="dropdown-menu"><li><a class="dropdown-item" href="#">Newest</a></li><li><a class="dropdown-item" href="#">Cheapest</a></li></ul></div>
  <ul class="nav nav-tabs" role="tablist">
    <li class="nav-item"><button class="nav-link active" data-bs-toggle="tab" data-bs-target="#all" role="tab">All</button></li>
    <li class="nav-item"><button class="nav-link" data-bs-toggle="tab" data-bs-target="#saved" role="tab">Saved</button></li></ul>
  <div class="tab-content"><div class="tab-pane active" id="all">All of them</div><div class="tab-pane" id="saved">Those kept</div></div>
  <div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="stock"><label class="form-check-label" for="stock">In stock only</label></div>
  <label for="most" class="form-label">Most</label><input type="range" class="form-range" id="most" max="300" value="100">
  <div class="btn-group" role="group" aria-label="View"><input type="radio" class="btn-check" name="view" id="grid" checked><label class="btn btn-outline-primary" for="grid">Grid</label>
    <input type="radio" class="btn-check" name="view" id="rows"><label class="btn btn-outline-primary" for="rows">Rows</label></div>
  <div class="accordion" id="help"><div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" data-bs-toggle="collapse" data-bs-target="#shipping">Shipping</button></h2>
    <div id="shipping" class="accordion-collapse collapse" data-bs-parent="#help"><div class="accordion-body">Two days</div></div></div></div>
  <p><button class="btn btn-danger" data-bs-toggle="modal" data-bs-target="#empty">Empty the cart</button></p>
  <div class="modal fade" id="empty" tabindex="-1" aria-labelledby="title"><div class="modal-dialog"><div class="modal-content">
    <div class="modal-header"><h5 class="modal-title" id="title">Empty the cart?</h5><button class="btn-close" data-bs-dismiss="modal" aria-label="Close"></button></div>
    <div class="modal-footer"><button class="btn btn-secondary" data-bs-dismiss="modal">Keep it</button><button class="btn btn-danger" id="sure" data-bs-dismiss="modal">Empty it</button></div></div></div></div>
</main>`;
const by = id => document.getElementById(id);
for (const item of document.querySelectorAll('.dropdown-item')) item.onclick = () => record({ sort: item.textContent });
document.addEventListener('shown.bs.tab', ({ target }) => record({ tab: target.textContent }));
document.addEventListener('shown.bs.collapse', ({ target }) => record({ help: target.id }));
by('stock').onchange = () => record({ stock: by('stock').checked });
by('most').onchange = () => record({ most: Number(by('most').value) });
by('rows').onchange = () => record({ view: 'rows' });
by('sure').onclick = () => record({ cart: 'empty' });
