// TanStack Table: headers that sort, rows that are picked, pages.
import { flexRender, getCoreRowModel, getPaginationRowModel, getSortedRowModel, useReactTable } from '@tanstack/react-table';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { record } from '../record.js';

const data = ['Ida', 'Max', 'Ben', 'Zoe', 'Amy', 'Leo', 'Eva'].map((name, index) => ({ name, age: 20 + ((index * 7) % 11) }));
const columns = [
  { accessorKey: 'name', header: 'Name' },
  { accessorKey: 'age', header: 'Age' },
];

function App() {
  const [sorting, setSorting] = useState([]);
  const table = useReactTable({
    data,
    columns,
    state: { sorting },
    onSortingChange: setSorting,
    initialState: { pagination: { pageSize: 4 } },
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
  });
  useEffect(() => record({ shown: table.getRowModel().rows.map(({ original }) => original.name) }));
  return (
    <main>
      <table>
        <thead>
          {table.getHeaderGroups().map(group => (
            <tr key={group.id}>
              {group.headers.map(header => (
                <th key={header.id} onClick={header.column.getToggleSortingHandler()}>
                  {flexRender(header.column.columnDef.header, header.getContext())}
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody onDoubleClick={event => record({ opened: event.target.closest('tr').cells[0].textContent })}>
          {table.getRowModel().rows.map(row => (
            <tr key={row.id}>
              {row.getVisibleCells().map(cell => (
                <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button onClick={() => table.nextPage()}>Next page</button>
    </main>
  );
}

createRoot(document.getElementById('root')).render(<App />);
