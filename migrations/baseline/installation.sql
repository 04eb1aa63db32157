-- The installation and its restorations from a backup.

create table installation (
  singleton boolean primary key default true check (singleton),
  key_check bytea not null
);

-- Empty until a backup is restored; from then on cursors name the epoch.
create table restoration (
  singleton boolean primary key default true check (singleton),
  epoch text not null
);
