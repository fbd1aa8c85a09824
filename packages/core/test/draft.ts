export const DRAFT = { title: 'Second', objective: 'O', requirements: [{ requirement_id: 'R1', text: 'x' }] };
