// ag-Grid: a thousand rows, sorting, selection, a cell to edit.
import { AllCommunityModule, ModuleRegistry } from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

ModuleRegistry.registerModules([AllCommunityModule]);
const rows = Array.from({ length: 1000 }, (_, index) => ({ product: `Product ${index}`, price: (index * 37) % 1000 }));

createRoot(document.getElementById('root')).render(
  <div style={{ height: 400, width: 600 }}>
    <AgGridReact
      rowData={rows}
      columnDefs={[
        { field: 'product', width: 200 },
        { field: 'price', width: 200, editable: true, sortable: true },
      ]}
      rowSelection={{ mode: 'singleRow', checkboxes: false, enableClickSelection: true }}
      onRowSelected={({ node, data }) => node.isSelected() && record({ row: data.product })}
      onSortChanged={({ api }) => record({ sort: api.getColumnState().filter(({ sort }) => sort).map(({ colId, sort }) => `${colId} ${sort}`) })}
      onCellValueChanged={({ data }) => record({ edited: `${data.product}: ${data.price}` })}
    />
  </div>,
);
