/** The style sheet of SVG charts: light, or dark if the reader prefers it. */

const light = {
  paper: '#ffffff',
  ink: '#17202b',
  soft: '#55616f',
  grid: '#e6eaef',
  axis: '#8c98a6',
  /** Colors of the series, which also differ by mark. */
  series: ['#0b5fc0', '#b8500a', '#0d7a56', '#8438b0', '#bd2440', '#0a7480', '#75561c', '#4c5866'],
  /** Colors of the parts of a cost, which also differ by dash pattern. */
  parts: ['#b8500a', '#bd2440', '#8438b0', '#0d7a56', '#4c5866'],
};

const dark: typeof light = {
  paper: '#12171d',
  ink: '#eef2f6',
  soft: '#a3afbd',
  grid: '#28313b',
  axis: '#667380',
  series: ['#6db3ff', '#ffa562', '#51d3a3', '#cf9dff', '#ff8396', '#4fd5e1', '#dcb86f', '#b0bbc8'],
  parts: ['#ffa562', '#ff8396', '#cf9dff', '#51d3a3', '#b0bbc8'],
};

/** The number of distinct series styles. */
export const seriesCount = light.series.length;

/** The number of distinct part styles. */
export const partsCount = light.parts.length;

const dashes = ['7 5', '2 5', '10 4 2 4', '4 3', '1 3'];

const forms = [
  'text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  '.title{font-size:21px;font-weight:650}',
  '.strong{font-weight:600}',
  '.end{text-anchor:end}',
  '.middle{text-anchor:middle}',
  '.value{font-size:12px;font-weight:600;paint-order:stroke;stroke-width:4px;stroke-linejoin:round}',
  '.grid{stroke-width:1}',
  '.axis{stroke-width:1.5}',
  '.curve{fill:none;stroke:currentColor;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}',
  '.part{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}',
  '.mark{fill:currentColor;stroke-width:1.5}',
  '.hollow{stroke:currentColor;stroke-width:2}',
  ...dashes.map((dash, index) => `.p${index}{stroke-dasharray:${dash}}`),
];

/** The style sheet. It uses no custom properties, which many SVG renderers other than browsers do not support. */
export const sheet = [...forms, ...rules(light), `@media (prefers-color-scheme:dark){${rules(dark).join('')}}`].join(
  '',
);

function rules({ paper, ink, soft, grid, axis, series, parts }: typeof light): string[] {
  return [
    `.paper{fill:${paper}}`,
    `.ink{fill:${ink}}`,
    `.soft{fill:${soft}}`,
    `.grid{stroke:${grid}}`,
    `.axis{stroke:${axis}}`,
    `.value{stroke:${paper}}`,
    `.mark:not(.hollow){stroke:${paper}}`,
    `.hollow{fill:${paper}}`,
    ...series.map((color, index) => `.s${index}{color:${color}}`),
    ...parts.map((color, index) => `.p${index}{color:${color}}`),
  ];
}
