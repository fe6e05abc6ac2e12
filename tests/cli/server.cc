#include "cli/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace ridgeline::cli {
namespace {

// Up to the end of the line, or of the output.
std::string ReadLine(int fd) {
  std::string line;
  for (char c = 0; ::read(fd, &c, 1) == 1 && c != '\n';) line += c;
  return line;
}

std::string ReadAll(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(fd, buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<size_t>(n));
  }
  return text;
}

}  // namespace

Server::Server(const std::vector<std::string>& arguments) {
  os::Pipe pipe;
  os::Pipe talk;
  EXPECT_TRUE(pipe.Open() && talk.Open());
  std::vector<std::string> words = {RIDGELINE_PROGRAM, "serve"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe.write_end.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, talk.write_end.get(), 2);
  const int failed =
      posix_spawn(&child_, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(failed, 0);
  pipe.write_end.Close();
  talk.write_end.Close();
  output_ = std::move(pipe.read_end);
  talk_ = std::move(talk.read_end);
  url_ = ReadLine(output_.get());
  // The last thing that it says before it prints the address.
  while (!error_.ends_with(url_ + "\n")) {
    const std::string line = ReadLine(talk_.get());
    if (line.empty()) break;
    error_ += line + "\n";
  }
  const size_t colon = url_.rfind(':');
  if (colon != std::string::npos) port_ = std::atoi(url_.c_str() + colon + 1);
}

Server::~Server() {
  if (child_ > 0) End(SIGKILL);
}

os::FileDescriptor Server::Connect(const std::string& bytes) const {
  os::FileDescriptor connection(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // The one cast that the interface of sockets wants.
  if (::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address),
                sizeof(address)) != 0) {
    return {};
  }
  ::send(connection.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  return connection;
}

std::string Server::Ask(const std::string& request) const {
  return ReadAll(Connect(request).get());
}

std::string Server::Get(const std::string& target) const {
  return Ask("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) +
             "\r\n\r\n");
}

int Server::End(int signal_number) {
  ::kill(child_, signal_number);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace ridgeline::cli
