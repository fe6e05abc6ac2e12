#include "serve/connections.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <thread>
#include <vector>

#include "os/file_descriptor.h"

namespace ridgeline::serve {
namespace {

// Both ends of a connection. The server's end belongs to its Connection.
struct Pair {
  os::FileDescriptor client;
  int server = -1;
};

Pair MakePair() {
  std::array<int, 2> ends = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  return {os::FileDescriptor(ends[0]), ends[1]};
}

// The client's view of the server's next byte; 0: the connection was closed.
ssize_t NextByte(const Pair& pair, int flags = 0) {
  char byte = 0;
  return ::recv(pair.client.get(), &byte, 1, flags);
}

TEST(ConnectionsTest, PassesBytesOnAndClosesAtTheEnd) {
  Connections all;
  const Pair pair = MakePair();
  all.Expect();
  {
    Connections::Connection connection(all, pair.server);
    ASSERT_EQ(::send(pair.client.get(), "ab", 2, 0), 2);
    std::array<char, 8> bytes = {};
    EXPECT_EQ(connection.Read(bytes.data(), bytes.size()), 2);
    EXPECT_EQ(connection.Write("c", 1), 1);
  }
  EXPECT_EQ(NextByte(pair), 1);
  EXPECT_EQ(NextByte(pair), 0);
}

TEST(ConnectionsTest, ClosesTheOldestThatAreNotAnsweredWhenThereAreTooMany) {
  Connections all;
  std::vector<Pair> pairs;
  std::list<Connections::Connection> connections;
  for (size_t i = 0; i < Connections::kMost; ++i) {
    pairs.push_back(MakePair());
    all.Expect();
    connections.emplace_back(all, pairs.back().server);
  }
  connections.front().Write("x", 1);
  EXPECT_EQ(NextByte(pairs[0]), 1);
  all.Expect();  // Its thread is not running yet.
  EXPECT_EQ(NextByte(pairs[1]), 0);
  EXPECT_EQ(NextByte(pairs[0], MSG_DONTWAIT), -1) << "it is answered";
  EXPECT_EQ(NextByte(pairs[2], MSG_DONTWAIT), -1) << "one is enough";
}

TEST(ConnectionsTest, EndsAllOfThem) {
  Connections all;
  const Pair before = MakePair();
  const Pair after = MakePair();
  all.Expect();
  all.Expect();
  const Connections::Connection first(all, before.server);
  all.Stop();
  const Connections::Connection second(all, after.server);
  EXPECT_EQ(NextByte(before), 0);
  EXPECT_EQ(NextByte(after), 0);
}

}  // namespace
}  // namespace ridgeline::serve
