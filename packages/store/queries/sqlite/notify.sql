select @payload;
