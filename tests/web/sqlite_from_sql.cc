// sqlite_from_sql OUTPUT < SQL: makes an SQLite file, for tests that want an export.
#include <sqlite3.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "sqlite_from_sql OUTPUT < SQL\n";
    return 2;
  }
  const std::string sql{std::istreambuf_iterator<char>(std::cin), {}};
  std::remove(argv[1]);
  sqlite3* database = nullptr;
  char* message = nullptr;
  const bool is_done =
      sqlite3_open(argv[1], &database) == SQLITE_OK &&
      sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN",
                   nullptr, nullptr, &message) == SQLITE_OK &&
      sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message) == SQLITE_OK &&
      sqlite3_exec(database, "COMMIT", nullptr, nullptr, &message) == SQLITE_OK;
  if (!is_done)
    std::cerr << argv[1] << ": " << (message ? message : "not opened") << '\n';
  sqlite3_free(message);
  sqlite3_close(database);
  return is_done ? 0 : 1;
}
