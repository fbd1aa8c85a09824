create table edit_journal (
  local_seq integer primary key autoincrement,
  report_id text not null,
  field text not null,
  base_seq integer not null,
  value text,
  refused_as text
);

create table sync_cursor (
  workspace_id text primary key,
  after_seq integer not null default 0
);
